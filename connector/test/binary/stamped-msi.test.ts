/** A signed package for Windows, as a service sends it: with its values, and a signature that is right. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeSlot } from '@cardwire/protocol'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type DistributionService,
  startDistributionService,
} from '../../../test/bed/distribution-service.ts'
import { proves } from '../../../test/bed/proves.ts'
import { readStampedSettings } from '../../src/system/msi-slot.ts'
import {
  getDownloadPath,
  makeSignedMsi,
  publishMsi,
  type SignedMsi,
} from '../packages/published-msi.ts'
import { makeSigner, type Signer, verifySignature } from '../packages/sample-msi.ts'

let folder: string
let signer: Signer
let built: SignedMsi
let service: DistributionService
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cardwire-stamped-'))
  signer = makeSigner(folder)
  built = makeSignedMsi(folder, signer)
  service = await startDistributionService(undefined, { DS_STAMP_INSTALLERS: 'on' })
})
afterAll(async () => {
  await service?.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** Asks for it in two parts, as a download that was interrupted in the slot. */
async function download(id: string): Promise<Buffer> {
  const path = getDownloadPath(id)
  const middle = built.slot.offset + 100
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
  proves('installer-key-stamped')
  const versions = [
    await publishMsi(service, built, '0.1.1'),
    await publishMsi(service, built, '0.1.2'),
  ]
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
    bytes.set(writeSlot() ?? [], built.slot.offset)
    expect(bytes.equals(built.bytes)).toBe(true)
  }
})

test('a byte that is changed outside of the slot breaks the signature', async () => {
  proves('windows-package-changed')
  const { id } = await publishMsi(service, built, '0.1.3')
  const bytes = await download(id)
  const at = bytes.indexOf(readFileSync(join(folder, 'data.bin')).subarray(0, 40))
  bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at)
  expect(verify(bytes)).toBe(false)
})
