/** Endorsements of reply keys: which keys they lead to, and which ones are ignored. */
import {
  CompactSign,
  type CryptoKey,
  calculateJwkThumbprint,
  exportJWK,
  generateKeyPair,
} from 'jose'
import { beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { proves } from '../../../../test/bed/proves.ts'
import { RotationStatements, resolveKeyChain } from './key-chain.ts'

interface Pair {
  readonly jwk: { kty: string; kid: string; alg: string; use: 'sig' }
  readonly privateKey: CryptoKey
}

/** What a test does differently from a service. */
interface Twist {
  readonly header?: object
  readonly payload?: unknown
  readonly signer?: CryptoKey | Uint8Array
}

async function createPair(): Promise<Pair> {
  const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true })
  const jwk = { kty: 'EC', ...(await exportJWK(publicKey)), alg: 'ES256', use: 'sig' as const }
  return { jwk: { ...jwk, kid: await calculateJwkThumbprint(jwk) }, privateKey }
}

/** The endorsement of `next` by `by`. */
const endorse = (
  by: Pair,
  next: Pair,
  { header, payload = { key: next.jwk }, signer = by.privateKey }: Twist = {},
) =>
  new CompactSign(new TextEncoder().encode(JSON.stringify(payload)))
    .setProtectedHeader({
      alg: 'ES256',
      typ: 'cw-succession+jws',
      kid: by.jwk.kid,
      jwk: by.jwk,
      ...header,
    })
    .sign(signer)

let first: Pair
let second: Pair
let third: Pair
let other: Pair

beforeAll(async () => {
  ;[first, second, third, other] = await Promise.all([
    createPair(),
    createPair(),
    createPair(),
    createPair(),
  ])
})

const resolveKids = async (words: readonly string[], trusted = [first.jwk.kid]) =>
  (await resolveKeyChain(words, trusted)).map(({ kid }) => kid)

test('resolveKeyChain follows any number of endorsements, in any order', async () => {
  const words = [
    await endorse(first, second),
    await endorse(second, third),
    await endorse(third, other),
  ]
  const kids = [second, third, other].map(({ jwk }) => jwk.kid)
  expect(await resolveKids(words)).toEqual(kids)
  expect(await resolveKids(words.toReversed())).toEqual(kids)
  expect(await resolveKids(words, [third.jwk.kid])).toEqual([other.jwk.kid])
  expect(await resolveKeyChain(words.slice(0, 1), [first.jwk.kid])).toEqual([second.jwk])
})

test('resolveKeyChain returns every key that a key endorses, each once', async () => {
  const words = [
    ...[await endorse(first, second), await endorse(first, third)],
    ...[await endorse(second, other), await endorse(third, other), await endorse(other, first)],
  ]
  expect(await resolveKids(words)).toEqual([second, third, other].map(({ jwk }) => jwk.kid))
})

test('resolveKeyChain finds no key without endorsements or trusted keys', async () => {
  expect(await resolveKids([])).toEqual([])
  expect(await resolveKids([await endorse(first, second)], [])).toEqual([])
})

describe('resolveKeyChain ignores an endorsement', () => {
  const bytes = (text: string) => new TextEncoder().encode(text)
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

  const invalidEndorsements: Readonly<Record<string, () => string | Promise<string>>> = {
    'that another key has signed': () => endorse(first, other, { signer: other.privateKey }),
    'whose header has the key that signed instead of the one that it names': () =>
      endorse(first, other, { signer: other.privateKey, header: { jwk: other.jwk } }),
    'whose header calls the key that signed by the name of another': () =>
      endorse(first, other, {
        signer: other.privateKey,
        header: { jwk: { ...other.jwk, kid: first.jwk.kid } },
      }),
    'whose header has no key': () => endorse(first, other, { header: { jwk: undefined } }),
    'whose header has a key that is none': () => endorse(first, other, { header: { jwk: {} } }),
    'whose header names nobody': () => endorse(first, other, { header: { kid: undefined } }),
    'by a key that endorses itself': () => endorse(other, other),
    'by a key that is not trusted': () => endorse(third, other),
    'for a key that is not what it is called': () =>
      endorse(first, other, { payload: { key: { ...other.jwk, kid: third.jwk.kid } } }),
    'for a key that is called as a trusted one': () =>
      endorse(first, other, { payload: { key: { ...other.jwk, kid: first.jwk.kid } } }),
    'for a key without a use': () =>
      endorse(first, other, { payload: { key: { ...other.jwk, use: undefined } } }),
    'that says nothing of a key': () =>
      endorse(first, other, { payload: { replyKeys: [other.jwk] } }),
    'that says nothing at all': () => endorse(first, other, { payload: null }),
    'that is a reply': () => endorse(first, other, { header: { typ: 'cw-reply+jws' } }),
    'without a kind': () => endorse(first, other, { header: { typ: undefined } }),
    'that is not signed': async () => {
      const [, payload] = (await endorse(first, other)).split('.')
      return `${encode({ ...createHeader(first), alg: 'none' })}.${payload}.`
    },
    'whose signature was taken away': async () =>
      (await endorse(first, other)).replace(/[^.]*$/, ''),
    'that is signed with the public key as a secret': () =>
      endorse(first, other, {
        header: { alg: 'HS256' },
        signer: bytes(JSON.stringify(first.jwk)),
      }),
    'whose key is a secret in its own header': () =>
      endorse(first, other, {
        header: { alg: 'HS256', jwk: { kty: 'oct', k: encode('secret') } },
        signer: bytes('"secret"'),
      }),
    'by another algorithm': async () => {
      const { privateKey } = await generateKeyPair('ES384')
      return endorse(first, other, { header: { alg: 'ES384' }, signer: privateKey })
    },
    'of which half is there': async () => (await endorse(first, other)).slice(0, 300),
    'that is none': () => 'hello',
    'that is empty': () => '',
  }

  const createHeader = ({ jwk }: Pair) => ({
    alg: 'ES256',
    typ: 'cw-succession+jws',
    kid: jwk.kid,
    jwk,
  })

  test.each(Object.entries(invalidEndorsements))('%s', async (_, make) => {
    proves('succession-forged', 'successions-withheld')
    const wrong = await make()
    const right = await endorse(first, second)
    expect(await resolveKids([wrong, right, wrong])).toEqual([second.jwk.kid])
  })
})

test('RotationStatements accepts 4096 entries, and refuses one more', () => {
  const words = Array.from({ length: 4096 }, () => 'a.b.c')
  expect(z.safeParse(RotationStatements, words).success).toBe(true)
  expect(z.safeParse(RotationStatements, [...words, 'a.b.c']).success).toBe(false)
})
