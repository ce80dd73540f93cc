/** Replies that a trusted key signed: accepted, or refused for their content. */
import type { SyncReply } from '@cardwire/protocol'
import { calculateJwkThumbprint, exportJWK, generateKeyPair, SignJWT } from 'jose'
import { beforeAll, expect, test } from 'vitest'
import { type ResponseSigningKey, verifyReply } from '../../src/distribution/client/verify-reply.ts'

const device = '7484db94-1e47-4683-ae2c-eb3395fde116'
const now = Date.UTC(2026, 10, 21)
const request = { jti: 'a-request-in-flight', now }
const claims = {
  aud: device,
  re: request.jti,
  iat: now / 1000,
  revision: 3,
  state: 's',
  acknowledged: [],
  unchanged: true,
} satisfies SyncReply

let privateKey: CryptoKey
let keys: ResponseSigningKey[]

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

test('verifyReply accepts a reply for this device and request, and returns the key that signed it', async () => {
  const opened = await verifyReply(await sign(claims), keys, { device, request })
  expect(opened).toEqual({ reply: claims, signer: keys[0] })
})

test.each([
  ['for another device', { aud: crypto.randomUUID() }, 'another device'],
  ['to another request', { re: 'an-earlier-request' }, 'a different request'],
  ['from an hour ago', { iat: now / 1000 - 3600 }, 'another time'],
  ['from tomorrow', { iat: now / 1000 + 86_400 }, 'another time'],
  ['without a revision', { revision: undefined }, 'lacks what a reply'],
  ['that claims to be whole and is not', { unchanged: false }, 'lacks what a reply'],
])('verifyReply refuses a reply %s', async (_, change, reason) => {
  const jws = await sign({ ...claims, ...change })
  await expect(verifyReply(jws, keys, { device, request })).rejects.toThrow(reason)
})

test('verifyReply refuses a token that the same key signed', async () => {
  const jws = await sign(claims, { typ: 'cw-app+jwt' })
  await expect(verifyReply(jws, keys, { device, request })).rejects.toThrow('it is not a reply')
})

test('verifyReply refuses a key whose kid is not its fingerprint', async () => {
  const named = keys.map((key) => ({ ...key, kid: 'A'.repeat(43) }))
  const jws = await sign(claims, { kid: 'A'.repeat(43) })
  await expect(verifyReply(jws, named, { device, request })).rejects.toThrow('not one that was')
})

test('verifyReply accepts a stored reply at any time', async () => {
  const jws = await sign({ ...claims, iat: now / 1000 - 86_400 })
  const { reply } = await verifyReply(jws, keys, { device, request: undefined })
  expect(reply.revision).toBe(3)
})
