import { NewCredential } from '@cardwire/protocol'
import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { proves } from '../../../test/bed/proves.ts'
import { readClaimLines, readGitHubTrust, readGitLabTrust } from './ci-trust.ts'
import { matchesSubject } from './subject-pattern.ts'

const gitHub = {
  ...{ owner: 'example', repository: 'cards', ownerId: '', repositoryId: '', name: '' },
  scope: 'tags' as const,
}
const gitLab = {
  ...{ issuer: 'https://gitlab.com', project: 'example/cards', name: '', isProtected: false },
  scope: 'tags' as const,
}

describe('readGitHubTrust', () => {
  test.each([
    [{}, 'repo:example/cards:ref:refs/tags/*', 'repo:example/cards:ref:refs/tags/v4.1.0'],
    [
      { ownerId: '123456', repositoryId: '456789' },
      'repo:example@123456/cards@456789:ref:refs/tags/*',
      'repo:example@123456/cards@456789:ref:refs/tags/v4.1.0',
    ],
    [
      { scope: 'branch', name: 'release/4.x' },
      'repo:example/cards:ref:refs/heads/release/4.x',
      'repo:example/cards:ref:refs/heads/release/4.x',
    ],
    [
      { scope: 'environment', name: 'eu: production' },
      'repo:example/cards:environment:eu%3A production',
      'repo:example/cards:environment:eu%3A production',
    ],
  ] as const)('%j trusts %s', (changes, subject, ofJob) => {
    proves('api-clients-in-browser')
    const trust = { issuer: 'https://token.actions.githubusercontent.com', subject }
    expect(readGitHubTrust({ ...gitHub, ...changes })).toEqual({ trust })
    expect(z.parse(NewCredential, { kind: 'federated', ...trust })).toMatchObject(trust)
    expect(matchesSubject(subject, ofJob)).toBe(true)
  })

  test.each([
    [{ owner: '' }, ['owner']],
    [{ owner: 'example/cards' }, ['owner']],
    [{ owner: '*', repository: '*' }, ['owner', 'repository']],
    [{ repository: 'cards:ref' }, ['repository']],
    [{ ownerId: '1' }, ['repositoryId']],
    [{ ownerId: 'one', repositoryId: '2' }, ['ownerId']],
    [{ scope: 'branch' }, ['name']],
    [{ scope: 'branch', name: '*' }, ['name']],
    [{ scope: 'branch', name: 'a b' }, ['name']],
    [{ scope: 'environment', name: '*' }, ['name']],
  ] as const)('%j has wrong fields: %j', (changes, wrong) => {
    proves('api-clients-in-browser')
    expect(readGitHubTrust({ ...gitHub, ...changes })).toEqual({ wrong })
  })
})

describe('readGitLabTrust', () => {
  test.each([
    [
      {},
      { issuer: 'https://gitlab.com', subject: 'project_path:example/cards:ref_type:tag:ref:*' },
      'project_path:example/cards:ref_type:tag:ref:release/4.1.0',
    ],
    [
      {
        ...{ issuer: 'https://git.example/', project: 'a/b/c', name: 'main', isProtected: true },
        scope: 'branch',
      },
      {
        issuer: 'https://git.example',
        subject: 'project_path:a/b/c:ref_type:branch:ref:main',
        claims: { ref_protected: 'true' },
      },
      'project_path:a/b/c:ref_type:branch:ref:main',
    ],
  ] as const)('%j trusts %j', (changes, trust, ofJob) => {
    proves('api-clients-in-browser')
    expect(readGitLabTrust({ ...gitLab, ...changes })).toEqual({ trust })
    expect(z.parse(NewCredential, { kind: 'federated', ...trust })).toMatchObject(trust)
    expect(matchesSubject(trust.subject, ofJob)).toBe(true)
  })

  test.each([
    [{ project: 'cards' }, ['project']],
    [{ project: 'example/*' }, ['project']],
    [{ project: 'example/cards:ref_type' }, ['project']],
    [{ scope: 'branch', name: '*' }, ['name']],
  ] as const)('%j has wrong fields: %j', (changes, wrong) => {
    proves('api-clients-in-browser')
    expect(readGitLabTrust({ ...gitLab, ...changes })).toEqual({ wrong })
  })
})

test.each([
  ['', {}],
  ['environment=production', { environment: 'production' }],
  ['  a = b=c \n\n d=e', { a: 'b=c', d: 'e' }],
  ['environment', undefined],
  ['environment=', undefined],
  ['=production', undefined],
  ['a=b\na=c', undefined],
  ['__proto__=x', JSON.parse('{"__proto__":"x"}')],
])('the lines %j are the claims %j', (text, claims) => {
  proves('api-clients-in-browser')
  expect(readClaimLines(text)).toEqual(claims)
})
