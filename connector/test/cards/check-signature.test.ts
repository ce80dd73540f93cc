/** Signatures of a digest against those that the runtime makes of the message, with keys and certificates by openssl. */
import { createHash, sign } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { isSignatureOf } from '../../src/sandbox/card-modules/check-signature.ts'
import type { HashName } from '../../src/sandbox/card-modules/key-type.ts'
import type { PivCardOptions } from '../../src/sandbox/virtual-card/piv-card.ts'
import { makeKeys } from './emulated-card.ts'

const hashes = ['sha1', 'sha256', 'sha384', 'sha512'] as const satisfies HashName[]

let keys: PivCardOptions['keys']
let others: PivCardOptions['keys']

beforeAll(async () => {
  const types = { '9A': 'P-256', '9C': 'RSA-2048', '9D': 'P-384' } as const
  keys = (await makeKeys(types)).keys
  others = (await makeKeys(types)).keys
})

test.each([
  ['9C', 'RSA-2048', 3],
  ['9A', 'P-256', 100],
  ['9D', 'P-384', 25],
] as const)(
  'key %s, %s: its signatures are accepted with every hash, and one of another key, digest or bit is not',
  (slot, _type, rounds) => {
    proves('signature-checked')
    const [key, other] = [keys[slot], others[slot]]
    if (!key || !other) throw new Error('Expected keys')
    for (const hash of hashes) {
      for (let round = 0; round < rounds; round += 1) {
        const message = `message ${round}`
        const signature = sign(hash, Buffer.from(message), {
          key: key.privateKey,
          dsaEncoding: 'ieee-p1363',
        })
        const digest = { hash, bytes: createHash(hash).update(message).digest() }
        expect(isSignatureOf(key.certificate, digest, signature)).toBe(true)
        expect(isSignatureOf(other.certificate, digest, signature)).toBe(false)
        const another = { hash, bytes: createHash(hash).update('another message').digest() }
        expect(isSignatureOf(key.certificate, another, signature)).toBe(false)
        const changed = Uint8Array.from(signature)
        changed[round % changed.length] = (changed[round % changed.length] ?? 0) ^ 1
        expect(isSignatureOf(key.certificate, digest, changed)).toBe(false)
      }
    }
  },
)

test.each(['9A', '9C', '9D'] as const)('key %s: zeros and ones are no signature', (slot) => {
  const key = keys[slot]
  if (!key) throw new Error('Expected a key')
  const digest = { hash: 'sha256', bytes: createHash('sha256').update('a').digest() } as const
  const length = { '9A': 64, '9C': 256, '9D': 96 }[slot]
  for (const byte of [0x00, 0xff]) {
    const signature = new Uint8Array(length).fill(byte)
    expect(isSignatureOf(key.certificate, digest, signature)).toBe(false)
  }
})
