/** The hash algorithms of a card, as a page passes them to `sign` and to WebCrypto. */
import { expect, test } from 'vitest'
import { readHashes } from './hashes.ts'

test.each([
  [
    ['sha384', 'sha512', 'sha256'],
    ['SHA-384', 'SHA-512', 'SHA-256'],
  ],
  [
    ['sha256', 'sha1', 'sha256-pss', 'sha1-pss'],
    ['SHA-256', 'SHA-1'],
  ],
  [
    ['SHA-256', 'SHA512'],
    ['SHA-256', 'SHA-512'],
  ],
  [['md5', 'constructor', ''], []],
])('what a connector calls %j are %j', async (names, expected) => {
  expect(readHashes(names)).toEqual(expected)
  for (const name of readHashes(names)) await crypto.subtle.digest(name, new Uint8Array())
})
