/** A signed package for Windows, as a service sends it: with its values, and a signature that is right. */
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createManifestName, writeSlot } from '@cardwire/client/protocol'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type DistributionService,
  startDistributionService,
} from '../../../.ci/test-bed/distribution-service.ts'
import type { Json } from '../../../.ci/test-bed/service-request.ts'
import { createWindowsSigner } from '../../build/sign-windows.ts'
import type { Slot } from '../../packages/package-facts.ts'
import { signMsi } from '../../packages/windows/slotted-msi.ts'
import { readStampedSettings } from '../../src/system/msi-slot.ts'
import { makeSampleMsi, makeSigner, type Signer, verifySignature } from '../packages/sample-msi.ts'

let folder: string
let signer: Signer
let built: Buffer
let slot: Slot | undefined
let service: DistributionService
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cardwire-stamped-'))
  signer = makeSigner(folder)
  const file = makeSampleMsi(folder)
  const signWindows = createWindowsSigner(signer.command)
  slot = signMsi(file, { signWindows, report: () => undefined })
  built = readFileSync(file)
  service = await startDistributionService(
    undefined,
    { DS_STAMP_INSTALLERS: 'on' },
    { 'cardwire.msi': built },
  )
})
afterAll(async () => {
  await service?.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** A version with this package, as `npm run publish` leaves it. */
async function publish(id: string): Promise<Json> {
  const sha256 = createHash('sha256').update(built).digest('hex')
  const listed = { file: 'cardwire.msi', system: 'WIN64', architecture: 'x64', size: built.length }
  const manifest = JSON.stringify({ version: id, files: [{ ...listed, sha256, slot }] })
  const body = JSON.stringify({ manifest, signature: 'c2lnbmVk' })
  await service.putPackage(createManifestName(id), Buffer.from(body))
  const uris = [{ os: 'WIN64', uri: 'file:///cardwire.msi', sha256, size: built.length }]
  return service.registerVersion(id, { uris })
}

/** Asks for it in parts, as a download that was interrupted. */
async function download(id: string): Promise<Buffer> {
  const path = `/v3/downloads/installers/win64/versions/${id}`
  const middle = (slot?.offset ?? 0) + 100
  const first = await service.request('GET', path, {
    headers: { range: `bytes=0-${middle - 1}` },
  })
  const rest = await service.request('GET', path, {
    headers: { range: `bytes=${middle}-`, 'if-range': first.headers.get('etag') ?? '' },
  })
  expect([first.status, rest.status]).toEqual([206, 206])
  return Buffer.concat([first.bytes, rest.bytes])
}

const verify = (bytes: Buffer) => {
  const file = join(folder, `${crypto.randomUUID()}.msi`)
  writeFileSync(file, bytes)
  return verifySignature(file, signer)
}

test('the packages of two versions have the values of each and a right signature, and differ in the slot alone', async () => {
  const versions = [await publish('0.1.1'), await publish('0.1.2')]
  const packages = await Promise.all(versions.map(({ id }) => download(id)))
  expect(packages.map(verify)).toEqual([true, true])
  expect(packages.map(readStampedSettings)).toMatchObject(
    versions.map(({ installationApiKey }) => ({
      CARDWIRE_DS_URL: service.url,
      CARDWIRE_INSTALLATION_KEY: installationApiKey,
      CARDWIRE_DS_FINGERPRINTS: expect.stringMatching(/^[\w-]{43}/),
    })),
  )
  for (const bytes of packages) {
    bytes.set(writeSlot() ?? [], slot?.offset)
    expect(bytes.equals(built)).toBe(true)
  }
})

test('a byte that is changed outside of the slot breaks the signature', async () => {
  const { id } = await publish('0.1.3')
  const bytes = await download(id)
  const at = bytes.indexOf(readFileSync(join(folder, 'data.bin')).subarray(0, 40))
  bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at)
  expect(verify(bytes)).toBe(false)
})
