/** Which version is the latest, and which are one and the same to SemVer. */
import type { Platform } from '@cardwire/protocol'
import { describe, expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { findLatest, sortLatestFirst, toPrecedence } from './latest-version.ts'

const release = (id: string, systems: readonly Platform[] = ['WIN64'], allowed = true) => ({
  id,
  allowed,
  uris: systems.map((os) => ({ os })),
})

describe('findLatest', () => {
  test.each([
    {
      behaviour: 'compares numbers as numbers',
      releases: [release('3.9.0'), release('3.10.0'), release('3.8.10')],
      expected: '3.10.0',
    },
    {
      behaviour: 'puts a release above its prereleases',
      releases: [release('4.0.0-rc.1'), release('4.0.0'), release('4.0.0-beta')],
      expected: '4.0.0',
    },
    {
      behaviour: 'takes a prerelease when it is the highest',
      releases: [release('4.0.0'), release('4.1.0-alpha.1')],
      expected: '4.1.0-alpha.1',
    },
    {
      behaviour: 'passes over what is not allowed',
      releases: [release('4.0.0'), release('4.1.0', ['WIN64'], false)],
      expected: '4.0.0',
    },
    {
      behaviour: 'takes a version without installers when no system is asked for',
      releases: [release('4.0.0'), release('4.1.0', [])],
      expected: '4.1.0',
    },
    {
      behaviour: 'passes over versions without an installer for the system',
      os: 'MACOS' as const,
      releases: [release('4.0.0', ['WIN64', 'MACOS']), release('4.1.0', ['WIN64', 'MACOSARM'])],
      expected: '4.0.0',
    },
    {
      behaviour: 'passes over what is not allowed for the system too',
      os: 'UNIX' as const,
      releases: [release('4.1.0', ['UNIX'], false), release('4.0.0', ['UNIX'])],
      expected: '4.0.0',
    },
    {
      behaviour: 'is undefined when no version has an installer for the system',
      os: 'UNIX' as const,
      releases: [release('4.0.0')],
      expected: undefined,
    },
    {
      behaviour: 'is undefined when none is allowed',
      releases: [release('4.0.0', ['WIN64'], false)],
      expected: undefined,
    },
    { behaviour: 'is undefined without versions', releases: [], expected: undefined },
  ])('$behaviour', ({ releases, os, expected }) => {
    proves('latest-version')
    expect(findLatest(releases, os)?.id).toBe(expected)
  })

  test('leaves the list as it was', () => {
    const releases = [release('1.0.0'), release('2.0.0')]
    findLatest(releases)

    expect(releases.map(({ id }) => id)).toEqual(['1.0.0', '2.0.0'])
  })

  test('compares each of very many versions once', () => {
    proves('versions-compared')
    let reads = 0
    const releases = Array.from({ length: 1000 }, (_, n) => ({
      allowed: true,
      uris: [{ os: 'WIN64' as const }],
      get id() {
        reads += 1
        return `4.${(n * 37) % 1000}.0`
      },
    }))
    expect(findLatest(releases, 'WIN64') === releases[27]).toBe(true)
    expect(reads).toBeLessThanOrEqual(2 * releases.length)
  })
})

test('sortLatestFirst reads each of very many versions once', () => {
  proves('versions-compared')
  let reads = 0
  const releases = Array.from({ length: 1000 }, (_, n) => ({
    get id() {
      reads += 1
      return `4.${(n * 37) % 1000}.0`
    },
  }))
  expect(sortLatestFirst(releases)[0] === releases[27]).toBe(true)
  expect(reads).toBe(releases.length)
})

test('sortLatestFirst follows the order of SemVer §11.4, highest first', () => {
  const ascending = [
    '0.9.99',
    '1.0.0-1',
    '1.0.0-alpha',
    '1.0.0-alpha.1',
    '1.0.0-alpha.beta',
    '1.0.0-beta',
    '1.0.0-beta.2',
    '1.0.0-beta.11',
    '1.0.0-rc.1',
    '1.0.0',
    '2.0.0',
    '2.1.0',
    '2.1.1',
    '10.0.0',
  ].map((id) => ({ id }))

  expect(sortLatestFirst(ascending)).toEqual(ascending.toReversed())
})

describe('toPrecedence', () => {
  test.each([
    ['is the id of a plain version', '4.0.1', '4.0.1'],
    ['drops build metadata', '4.0.1+20260101.5', '4.0.1'],
    ['keeps a prerelease', '4.0.1-rc.1', '4.0.1-rc.1'],
    ['keeps a prerelease and drops the build behind it', '4.0.1-rc.1+sha.5114f85', '4.0.1-rc.1'],
    ['keeps a build-like prerelease', '4.0.1-a-b', '4.0.1-a-b'],
    ['is undefined for a leading v', 'v4.0.1', undefined],
    ['is undefined for space around', ' 4.0.1 ', undefined],
    ['is undefined for two numbers', '4.0', undefined],
    ['is undefined for a leading zero', '4.00.1', undefined],
    ['is undefined for numbers no number holds', '99999999999999999.0.0', undefined],
    ['is undefined for an empty id', '', undefined],
  ])('%s', (_, id, expected) => {
    expect(toPrecedence(id)).toBe(expected)
  })
})
