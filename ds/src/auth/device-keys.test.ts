/** The keys of devices: which are held, and what is none. */
import type { IdentityKey } from '@cardwire/protocol'
import { calculateJwkThumbprint, errors, exportJWK, generateKeyPair } from 'jose'
import { expect, test } from 'vitest'
import { createDeviceKeyCache, importDeviceKey } from './device-keys.ts'

async function aHolder() {
  const { publicKey } = await generateKeyPair('ES256', { extractable: true })
  const { x = '', y = '' } = await exportJWK(publicKey)
  const key: IdentityKey = { kty: 'EC', crv: 'P-256', x, y }
  return { key, fingerprint: await calculateJwkThumbprint(key) }
}

test('the key of a device is cached from its second request on', async () => {
  const verifier = createDeviceKeyCache()
  const device = await aHolder()
  const once = await verifier(device)
  const again = await verifier(device)
  expect(again).not.toBe(once)
  expect(await verifier(device)).toBe(again)
})

test('of more keys than fit the cache the least recently used is dropped', async () => {
  const verifier = createDeviceKeyCache(2)
  const heldNow = async (device: Awaited<ReturnType<typeof aHolder>>) => {
    await verifier(device)
    return verifier(device)
  }
  const [often, seldom, other] = [await aHolder(), await aHolder(), await aHolder()]
  const [first, second] = [await heldNow(often), await heldNow(seldom)]
  expect(await verifier(often)).toBe(first)
  await heldNow(other)
  expect(await verifier(often)).toBe(first)
  expect(await verifier(seldom)).not.toBe(second)
})

test('a device that sent one request is forgotten after many others', async () => {
  const verifier = createDeviceKeyCache(2)
  const [device, ...others] = await Promise.all(Array.from({ length: 3 }, aHolder))
  if (device === undefined) throw new Error('Expected a device')
  await verifier(device)
  for (const other of others) await verifier(other)
  // Once more: it counts as the first time.
  const again = await verifier(device)
  expect(await verifier(device)).not.toBe(again)
})

test('coordinates that are no point of the curve are refused', async () => {
  const { key } = await aHolder()
  await expect(importDeviceKey({ ...key, y: key.x })).rejects.toBeInstanceOf(errors.JWKInvalid)
})
