/** What people type in the first steps. */
import { expect, test } from 'vitest'
import { measureProcessorMs } from '../../../../test/bed/processor-time.ts'
import { proves } from '../../../../test/bed/proves.ts'
import { readTypedInstaller, readTypedOrigins, readTypedVersion } from './typed-values.ts'

test.each([
  ['https://shop.example', ['https://shop.example']],
  ['shop.example', ['https://shop.example']],
  ['shop.example/cart?item=1', ['https://shop.example']],
  ['https://shop.example:8443/cart#top', ['https://shop.example:8443']],
  ['shop.example:8443', ['https://shop.example:8443']],
  ['*.bank.example', ['https://*.bank.example']],
  ['localhost:3000', ['http://localhost:3000']],
  ['127.0.0.1:3000/app', ['http://127.0.0.1:3000']],
  ['//shop.example', ['https://shop.example']],
  ['HTTPS://shop.example', ['HTTPS://shop.example']],
  ['http://shop.example', ['http://shop.example']],
  [
    '"https://a.example", \'b.example\'; <https://c.example/>',
    ['https://a.example', 'https://b.example', 'https://c.example'],
  ],
  ['a.example\r\na.example\n\n', ['https://a.example']],
  ['chrome-extension://abcdef', ['chrome-extension://abcdef']],
  [' , ; ', []],
])('readTypedOrigins(%j) is %j', (text, origins) => {
  expect(readTypedOrigins(text)).toEqual(origins)
})

const files = [
  'cardwire.deb',
  '4.0.0/cardwire.msi',
  '4.1.0/cardwire.msi',
  '4.1.0/cardwire.pkg',
].map((name) => ({ name, uri: `file:///${name}` }))

test.each([
  ['', ''],
  ['https://downloads.example/cardwire.deb', 'https://downloads.example/cardwire.deb'],
  ['downloads.example/cardwire.deb', 'https://downloads.example/cardwire.deb'],
  ['ftp://downloads.example/cardwire.deb', 'ftp://downloads.example/cardwire.deb'],
  ['cardwire.deb', 'file:///cardwire.deb'],
  [' "cardwire.deb" ', 'file:///cardwire.deb'],
  ['file:///cardwire.deb', 'file:///cardwire.deb'],
  ['file://cardwire.deb', 'file:///cardwire.deb'],
  ['/cardwire.deb', 'file:///cardwire.deb'],
  ['./cardwire.deb', 'file:///cardwire.deb'],
  ['cardwire.pkg', 'file:///4.1.0/cardwire.pkg'],
  ['4.0.0\\cardwire.msi', 'file:///4.0.0/cardwire.msi'],
  ['C:\\fakepath\\cardwire.pkg', 'file:///4.1.0/cardwire.pkg'],
  ['/var/lib/cardwire-ds/packages/4.0.0/cardwire.msi', 'file:///4.0.0/cardwire.msi'],
  // Of two files with this name, neither is meant more.
  ['cardwire.msi', 'file:///cardwire.msi'],
  ['5.0.0/other.msi', 'file:///5.0.0/other.msi'],
  // Not that of another version.
  ['5.0.0/cardwire.pkg', 'file:///5.0.0/cardwire.pkg'],
])('readTypedInstaller(%j) is %j', (text, uri) => {
  expect(readTypedInstaller(text, files)).toBe(uri)
})

test.each([
  ['4.0.0', '4.0.0'],
  [' v4.0.0 ', '4.0.0'],
  ['V4.0.0-rc.1', '4.0.0-rc.1'],
  ['version', 'version'],
])('readTypedVersion(%j) is %j', (text, version) => {
  expect(readTypedVersion(text)).toBe(version)
})

test.each([
  ['quotes', `a${'"'.repeat(60_000)}x`],
  ['brackets', `${'<'.repeat(30_000)}x${'>'.repeat(30_000)}x`],
  ['spaces', `a${' '.repeat(60_000)}x`],
  ['ports', `a${':1'.repeat(30_000)}x`],
  ['labels', `a${'.a'.repeat(30_000)}!`],
  ['folders', `a${'/packages'.repeat(6000)}`],
])('a field of 60,000 characters takes no longer than it has characters: %s', async (_, text) => {
  proves('costly-typed-value')
  const ms = await measureProcessorMs(() => {
    for (const read of [readTypedOrigins, readTypedVersion]) read(text)
    readTypedInstaller(text, files)
  })
  // Quadratic time took 20 s.
  expect(ms).toBeLessThan(1000)
})
