/** An installer that a real service offers, and the manifests that it has: of the release, of its own, of others. */
import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { createManifestName } from '@cardwire/protocol'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type DistributionService,
  startDistributionService,
} from '../../../test/bed/distribution-service.ts'
import { proves } from '../../../test/bed/proves.ts'
import { getPublicKey, signManifest } from '../../packages/signing-key.ts'
import { checkRelease } from '../../src/distribution/update/check-release.ts'

const offline = generateKeyPairSync('ed25519').privateKey
const ofTheService = generateKeyPairSync('ed25519').privateKey
const sha256 = 'ab'.repeat(32)

let service: DistributionService
let count = 0
beforeAll(async () => {
  service = await startDistributionService()
})
afterAll(() => service?.stop())

/** A version whose manifest the service has; `version`: as the manifest names it. */
async function publish(
  key: KeyObject,
  { digest = sha256, version = '', architecture = 'x64', system = 'UNIX' } = {},
): Promise<string> {
  count += 1
  const id = `4.0.${count}`
  const file = { file: 'cardwire.deb', system, architecture, size: 42 }
  const manifest = JSON.stringify({ version: version || id, files: [{ ...file, sha256: digest }] })
  const signature = signManifest(Buffer.from(manifest), key).trim()
  await service.putPackage(
    createManifestName(id),
    new TextEncoder().encode(JSON.stringify({ manifest, signature })),
  )
  return id
}
const check = (version: string, keys = [getPublicKey(offline)]) =>
  checkRelease({ dsUrl: service.url, version, sha256 }, keys, {
    system: 'UNIX',
    architecture: 'x64',
  })

test('checkRelease accepts an installer that the offline key has signed', async () => {
  proves('update-signed-only')
  expect(await check(await publish(offline))).toMatchObject({ signature: expect.any(String) })
})

test('checkRelease refuses a manifest that the service made itself', async () => {
  proves('refused-update', 'service-offers-program')
  const refused = check(await publish(ofTheService))
  await expect(refused).rejects.toThrow('no key of the releases has signed the manifest')
})

test('checkRelease refuses an installer that the release does not have', async () => {
  proves('service-offers-program')
  const refused = check(await publish(offline, { digest: 'cd'.repeat(32) }))
  await expect(refused).rejects.toThrow('has no file with this SHA-256')
})

test('checkRelease refuses the manifest of another version', async () => {
  proves('update-signed-only', 'service-offers-program')
  const refused = check(await publish(offline, { version: '3.9.9' }))
  await expect(refused).rejects.toThrow('is that of version 3.9.9')
})

test.each([
  ['architecture', { architecture: 'arm64' }, 'it is for UNIX, arm64, and this is UNIX, x64'],
  ['system', { system: 'WIN64' }, 'it is for WIN64, x64, and this is UNIX, x64'],
])('checkRelease refuses an installer of the release for another %s', async (_, other, reason) => {
  proves('service-offers-program')
  await expect(check(await publish(offline, other))).rejects.toThrow(reason)
})

test('checkRelease refuses an installer of a version without a manifest', async () => {
  proves('service-offers-program')
  await expect(check('9.9.9')).rejects.toThrow('has no manifest of this version')
})

test('checkRelease checks nothing where the build knows no key', async () => {
  expect(await check('9.9.9', [])).toBeUndefined()
})
