/** The keys of devices: which are held, and what is none. */
import type { IdentityKey } from '@cardwire/client/protocol'
import { calculateJwkThumbprint, errors, exportJWK, generateKeyPair } from 'jose'
import { expect, test } from 'vitest'
import { verifierOf, verifiersOfDevices } from './identity-keys.ts'

async function aHolder() {
  const { publicKey } = await generateKeyPair('ES256', { extractable: true })
  const { x = '', y = '' } = await exportJWK(publicKey)
  const key: IdentityKey = { kty: 'EC', crv: 'P-256', x, y }
  return { key, fingerprint: await calculateJwkThumbprint(key) }
}

test('a device that comes again finds its key as it left it', async () => {
  const verifier = verifiersOfDevices()
  const device = await aHolder()
  expect(await verifier(device)).toBe(await verifier(device))
})

test('of more devices than are held the one that did not come for longest is let go', async () => {
  const verifier = verifiersOfDevices(2)
  const [often, seldom, other] = [await aHolder(), await aHolder(), await aHolder()]
  const [first, second] = [await verifier(often), await verifier(seldom)]
  await verifier(often)
  await verifier(other)
  expect(await verifier(often)).toBe(first)
  expect(await verifier(seldom)).not.toBe(second)
})

test('numbers that are no point of the curve are refused', async () => {
  const { key } = await aHolder()
  await expect(verifierOf({ ...key, y: key.x })).rejects.toBeInstanceOf(errors.JWKInvalid)
})
