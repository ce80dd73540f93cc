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
    expect(suggestInstallers(list(name), '4.0.0')).toEqual({ [platform]: `file:///${name}` })
  })

  test('takes the files of one version', () => {
    const files = list('cardwire-4.0.0-x64.msi', 'cardwire_4.1.0_amd64.deb', 'cardwire.pkg')
    expect(suggestInstallers(files, '4.0.0')).toEqual({ WIN64: 'file:///cardwire-4.0.0-x64.msi' })
    expect(suggestInstallers(files, undefined)).toEqual({ MACOS: 'file:///cardwire.pkg' })
  })

  test('knows nothing of other files', () => {
    expect(suggestInstallers(list('SHA256SUMS', 'manifest.json', 'a.deb.txt'), undefined)).toEqual(
      {},
    )
  })
})

describe('suggestVersion', () => {
  test.each([
    [['cardwire_4.0.1_amd64.deb'], '4.0.1'],
    [['SHA256SUMS', '4.2.0/cardwire.deb'], '4.2.0'],
    [['cardwire-4.0.0-1.x86_64.rpm'], '4.0.0'],
    [['cardwire-4.9.0-x64.msi', 'cardwire-4.10.0-x64.msi', 'cardwire-4.2.0-x64.msi'], '4.10.0'],
    [['cardwire-04.0.0.deb'], undefined],
    [['cardwire.deb'], undefined],
    [[], undefined],
  ])('of %j is %s', (names, version) => {
    expect(suggestVersion(list(...names))).toBe(version)
  })
})
