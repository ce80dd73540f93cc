import { describe, expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { matchesSubject } from './subject-pattern.ts'

const repository = 'repo:example/cards:ref:refs/heads/main'

describe('matchesSubject', () => {
  test.each([
    [repository, repository],
    ['repo:example/cards:ref:refs/tags/*', 'repo:example/cards:ref:refs/tags/v1.2.3'],
    ['repo:example/cards:ref:refs/tags/*', 'repo:example/cards:ref:refs/tags/release/1.2'],
    ['repo:example/*:environment:production', 'repo:example/cards:environment:production'],
    ['a:b:*:*', 'a:b:c:d'],
    ['a:b:c.d', 'a:b:c.d'],
  ])('"%s" matches "%s"', (pattern, subject) => {
    proves('federated-credentials')
    expect(matchesSubject(pattern, subject)).toBe(true)
  })

  test.each([
    [repository, `${repository}2`],
    [repository, `x${repository}`],
    [repository, repository.toUpperCase()],
    [repository, `${repository}\n`],
    ['repo:example/cards:ref:refs/tags/*', 'repo:example/cards:ref:refs/tags/'],
    ['repo:example/cards:ref:refs/tags/*', 'repo:example/cards:ref:refs/heads/main'],
    ['repo:example/cards:ref:refs/tags/*', 'repo:example/cards:ref:refs/tags/v1:environment:x'],
    ['repo:example/*:environment:production', 'repo:example/a/b:environment:production'],
    ['repo:example/*:environment:production', 'repo:other/cards:environment:production'],
    ['a:b:c.d', 'a:b:cxd'],
    ['a:b:(c)+', 'a:b:cc'],
    ['a:b:*', 'a:b:'],
  ])('"%s" does not match "%s"', (pattern, subject) => {
    proves('federated-credentials')
    expect(matchesSubject(pattern, subject)).toBe(false)
  })
})
