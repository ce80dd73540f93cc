/** Replies that a known key has signed, and that are not to be believed all the same. */
import type { SyncReply } from '@cardwire/client/protocol'
import { calculateJwkThumbprint, exportJWK, generateKeyPair, SignJWT } from 'jose'
import { beforeAll, expect, test } from 'vitest'
import { openReply, type ReplyKey } from '../../src/sync/reply.ts'

const device = '7484db94-1e47-4683-ae2c-eb3395fde116'
const now = Date.UTC(2026, 10, 21)
const request = { jti: 'a-request-in-flight', now }
const said = {
  ...{ aud: device, re: request.jti, iat: now / 1000, revision: 3, state: 's' },
  ...{ acknowledged: [], unchanged: true },
} satisfies SyncReply

let privateKey: CryptoKey
let keys: ReplyKey[]

beforeAll(async () => {
  const pair = await generateKeyPair('ES256')
  privateKey = pair.privateKey
  const jwk = await exportJWK(pair.publicKey)
  const kid = await calculateJwkThumbprint(jwk)
  keys = [{ ...jwk, kty: 'EC', kid, alg: 'ES256', use: 'sig' }]
})

const sign = (payload: object, header: { typ?: string; kid?: string } = {}) =>
  new SignJWT({ ...payload })
    .setProtectedHeader({ alg: 'ES256', typ: 'cw-reply+jws', kid: keys[0]?.kid ?? '', ...header })
    .sign(privateKey)

test('one for this device and this request is believed', async () => {
  expect(await openReply(await sign(said), keys, { device, request })).toEqual(said)
})

test.each([
  ['for another device', { aud: crypto.randomUUID() }, 'another device'],
  ['to another request', { re: 'an-earlier-request' }, 'another request'],
  ['from an hour ago', { iat: now / 1000 - 3600 }, 'another time'],
  ['from tomorrow', { iat: now / 1000 + 86_400 }, 'another time'],
  ['without a revision', { revision: undefined }, 'does not say'],
  ['that claims to be whole and is not', { unchanged: false }, 'does not say'],
])('one %s is not', async (_, change, reason) => {
  const jws = await sign({ ...said, ...change })
  await expect(openReply(jws, keys, { device, request })).rejects.toThrow(reason)
})

test('one of another kind is not: a token of the same key is no reply', async () => {
  const jws = await sign(said, { typ: 'cw-app+jwt' })
  await expect(openReply(jws, keys, { device, request })).rejects.toThrow('it is no reply')
})

test('one by a key that is not what it is called is not', async () => {
  const named = keys.map((key) => ({ ...key, kid: 'A'.repeat(43) }))
  const jws = await sign(said, { kid: 'A'.repeat(43) })
  await expect(openReply(jws, named, { device, request })).rejects.toThrow('not one that was')
})

test('one that was kept counts although its time and its request are over', async () => {
  const jws = await sign({ ...said, iat: now / 1000 - 86_400 })
  expect(await openReply(jws, keys, { device, request: undefined })).toMatchObject({ revision: 3 })
})
