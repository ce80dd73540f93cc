/** Which signatures are valid, by keys and certificates that openssl made: each key and hash, raw and as ECDSA-Sig-Value. */
import { createHash, sign } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { isSignature } from '../../src/api/validation-routes.ts'
import type { PivCardOptions } from '../../src/sandbox/virtual-card/piv-card.ts'
import { makeKeys } from './emulated-card.ts'

const message = Buffer.from('a message that is signed')
const types = { '9A': 'P-256', '9C': 'RSA-2048', '9D': 'P-384' } as const

let keys: PivCardOptions['keys']
beforeAll(async () => {
  keys = (await makeKeys(types)).keys
})

const digestOf = (hash: 'sha1' | 'sha256' | 'sha384' | 'sha512', text: Uint8Array = message) => ({
  hash,
  bytes: createHash(hash).update(text).digest(),
})

function requireKey(slot: keyof typeof types) {
  const key = keys[slot]
  if (!key) throw new Error('Expected a key')
  return { ...key, type: types[slot] }
}

test.each([
  ['9C', 'sha1', 'der'],
  ['9C', 'sha256', 'der'],
  ['9C', 'sha384', 'der'],
  ['9C', 'sha512', 'der'],
  ['9A', 'sha256', 'ieee-p1363'],
  ['9A', 'sha256', 'der'],
  ['9A', 'sha512', 'der'],
  ['9D', 'sha384', 'ieee-p1363'],
  ['9D', 'sha384', 'der'],
  ['9D', 'sha1', 'der'],
] as const)(
  'a signature by key %s over %s as %s is valid, of this digest alone',
  (slot, hash, form) => {
    proves('signature-verification')
    const { privateKey, certificate, type } = requireKey(slot)
    const signature = sign(hash, message, { key: privateKey, dsaEncoding: form })
    expect(isSignature(certificate, type, digestOf(hash), signature)).toBe(true)
    const other = digestOf(hash, Buffer.from('another message'))
    expect(isSignature(certificate, type, other, signature)).toBe(false)
  },
)

test.each(['9A', '9C', '9D'] as const)(
  'by key %s nothing, too much, cut and foreign bytes are no signature',
  (slot) => {
    proves('signature-verification')
    const { privateKey, certificate, type } = requireKey(slot)
    const digest = digestOf('sha256')
    const whole = sign('sha256', message, { key: privateKey, dsaEncoding: 'der' })
    const ofOther = sign('sha256', message, requireKey(slot === '9A' ? '9D' : '9A').privateKey)
    const wrong = [
      Buffer.of(),
      whole.subarray(1),
      whole.subarray(0, -1),
      Buffer.concat([whole, Buffer.of(0)]),
      ofOther,
      Buffer.alloc(64),
      Buffer.alloc(96, 0xff),
      Buffer.alloc(65_536, 0x30),
    ]
    for (const signature of wrong) {
      expect(isSignature(certificate, type, digest, signature)).toBe(false)
    }
  },
)
