/** Words of keys for those that follow them: who is reached by them, and whose word counts for nothing. */
import {
  CompactSign,
  type CryptoKey,
  calculateJwkThumbprint,
  exportJWK,
  generateKeyPair,
} from 'jose'
import { beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { followed, Successions } from './successions.ts'

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

async function aPair(): Promise<Pair> {
  const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true })
  const jwk = { kty: 'EC', ...(await exportJWK(publicKey)), alg: 'ES256', use: 'sig' as const }
  return { jwk: { ...jwk, kid: await calculateJwkThumbprint(jwk) }, privateKey }
}

/** The word of `by` for `next`. */
const word = (
  by: Pair,
  next: Pair,
  { header, payload = { key: next.jwk }, signer = by.privateKey }: Twist = {},
) =>
  new CompactSign(new TextEncoder().encode(JSON.stringify(payload)))
    .setProtectedHeader({
      ...{ alg: 'ES256', typ: 'cw-succession+jws', kid: by.jwk.kid, jwk: by.jwk },
      ...header,
    })
    .sign(signer)

let first: Pair
let second: Pair
let third: Pair
let other: Pair

beforeAll(async () => {
  ;[first, second, third, other] = await Promise.all([aPair(), aPair(), aPair(), aPair()])
})

const reached = async (words: readonly string[], trusted = [first.jwk.kid]) =>
  (await followed(words, trusted)).map(({ kid }) => kid)

test('a key is reached in as many steps as it takes, whatever the order of the words', async () => {
  const words = [await word(first, second), await word(second, third), await word(third, other)]
  const kids = [second, third, other].map(({ jwk }) => jwk.kid)
  expect(await reached(words)).toEqual(kids)
  expect(await reached(words.toReversed())).toEqual(kids)
  expect(await reached(words, [third.jwk.kid])).toEqual([other.jwk.kid])
  expect(await followed(words.slice(0, 1), [first.jwk.kid])).toEqual([second.jwk])
})

test('one that vouches for several is followed to each, and two for one reach it once', async () => {
  const words = [
    ...[await word(first, second), await word(first, third)],
    ...[await word(second, other), await word(third, other), await word(other, first)],
  ]
  expect(await reached(words)).toEqual([second, third, other].map(({ jwk }) => jwk.kid))
})

test('nobody is reached without words, or without somebody who is trusted', async () => {
  expect(await reached([])).toEqual([])
  expect(await reached([await word(first, second)], [])).toEqual([])
})

describe('a word counts for nothing, and the others all the same,', () => {
  const bytes = (text: string) => new TextEncoder().encode(text)
  const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

  const rows: Readonly<Record<string, () => string | Promise<string>>> = {
    'that another key has signed': () => word(first, other, { signer: other.privateKey }),
    'whose header has the key that signed instead of the one that it names': () =>
      word(first, other, { signer: other.privateKey, header: { jwk: other.jwk } }),
    'whose header calls the key that signed by the name of another': () =>
      word(first, other, {
        ...{ signer: other.privateKey, header: { jwk: { ...other.jwk, kid: first.jwk.kid } } },
      }),
    'whose header has no key': () => word(first, other, { header: { jwk: undefined } }),
    'whose header has a key that is none': () => word(first, other, { header: { jwk: {} } }),
    'whose header names nobody': () => word(first, other, { header: { kid: undefined } }),
    'by a key that vouches for itself': () => word(other, other),
    'by a key that nobody here trusts': () => word(third, other),
    'for a key that is not what it is called': () =>
      word(first, other, { payload: { key: { ...other.jwk, kid: third.jwk.kid } } }),
    'for a key that is called as a trusted one': () =>
      word(first, other, { payload: { key: { ...other.jwk, kid: first.jwk.kid } } }),
    'for a key without a use': () =>
      word(first, other, { payload: { key: { ...other.jwk, use: undefined } } }),
    'that says nothing of a key': () => word(first, other, { payload: { replyKeys: [other.jwk] } }),
    'that says nothing at all': () => word(first, other, { payload: null }),
    'that is a reply': () => word(first, other, { header: { typ: 'cw-reply+jws' } }),
    'without a kind': () => word(first, other, { header: { typ: undefined } }),
    'that is not signed': async () => {
      const [, payload] = (await word(first, other)).split('.')
      return `${encoded({ ...headerOf(first), alg: 'none' })}.${payload}.`
    },
    'whose signature was taken away': async () => (await word(first, other)).replace(/[^.]*$/, ''),
    'that is signed with the public key as a secret': () =>
      word(first, other, {
        ...{ header: { alg: 'HS256' }, signer: bytes(JSON.stringify(first.jwk)) },
      }),
    'whose key is a secret that it tells itself': () =>
      word(first, other, {
        header: { alg: 'HS256', jwk: { kty: 'oct', k: encoded('secret') } },
        signer: bytes('"secret"'),
      }),
    'by another algorithm': async () => {
      const { privateKey } = await generateKeyPair('ES384')
      return word(first, other, { header: { alg: 'ES384' }, signer: privateKey })
    },
    'of which half is there': async () => (await word(first, other)).slice(0, 300),
    'that is none': () => 'hello',
    'that is empty': () => '',
  }

  const headerOf = ({ jwk }: Pair) => ({
    ...{ alg: 'ES256', typ: 'cw-succession+jws', kid: jwk.kid, jwk },
  })

  test.each(Object.entries(rows))('%s', async (_, make) => {
    const wrong = await make()
    const right = await word(first, second)
    expect(await reached([wrong, right, wrong])).toEqual([second.jwk.kid])
  })
})

test('4096 words are looked at, and one more is too many', () => {
  const words = Array.from({ length: 4096 }, () => 'a.b.c')
  expect(z.safeParse(Successions, words).success).toBe(true)
  expect(z.safeParse(Successions, [...words, 'a.b.c']).success).toBe(false)
})
