/** What the names of packages say. */
import { describe, expect, test } from 'vitest'
import { suggestInstallers, suggestVersion } from './packages-at-hand.ts'

const list = (...names: string[]) => names.map((name) => ({ name, uri: `file:///${name}` }))

describe('suggestInstallers', () => {
  test.each([
    ['cardwire_4.0.0_amd64.deb', 'UNIX'],
    ['cardwire-4.0.0-1.x86_64.rpm', 'UNIX'],
    ['4.0.0/cardwire-4.0.0-x64.msi', 'WIN64'],
    ['cardwire-4.0.0-x64.pkg', 'MACOS'],
    ['cardwire-4.0.0-arm64.pkg', 'MACOSARM'],
  ])('takes %s for %s', (name, platform) => {
    expect(suggestInstallers(list(name))).toEqual({ [platform]: `file:///${name}` })
  })

  test('knows nothing of other files', () => {
    expect(suggestInstallers(list('SHA256SUMS', 'manifest.json', 'a.deb.txt'))).toEqual({})
  })
})

describe('suggestVersion', () => {
  test.each([
    [['cardwire_4.0.1_amd64.deb'], '4.0.1'],
    [['SHA256SUMS', '4.2.0/cardwire.deb'], '4.2.0'],
    [['cardwire-4.0.0-1.x86_64.rpm'], '4.0.0'],
    [['cardwire.deb'], undefined],
    [[], undefined],
  ])('of %j is %s', (names, version) => {
    expect(suggestVersion(list(...names))).toBe(version)
  })
})
