/** A signed package for Windows from a service that stamps, installed on a machine with nothing else. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { PackageManifest } from '@cardwire/protocol'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type DistributionService,
  startDistributionService,
} from '../../../test/bed/distribution-service.ts'
import type { Json } from '../../../test/bed/service-request.ts'
import { makePackage } from '../../test/binary/packages/make-packages.ts'
import { getDownloadPath, publishMsi, type SignedMsi } from '../../test/packages/published-msi.ts'
import { makeSigner, type Signer, verifySignature } from '../../test/packages/sample-msi.ts'
import { windowsPath } from '../../test/wine/wine.ts'
import { createIdentifier } from '../windows/identifiers.ts'
import { names } from '../windows/places.ts'
import { openWindowsMachine, type WindowsMachine } from './windows-machine.ts'

const version = '4.0.0'

let folder: string
let signer: Signer
let msi: string
let built: SignedMsi
let service: DistributionService
let machine: WindowsMachine
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cardwire-stamped-'))
  signer = makeSigner(folder)
  msi = makePackage(join(folder, 'made'), ['--formats', 'msi', '--fast', '--version', version], {
    CARDWIRE_SIGN_WINDOWS: signer.command,
    CARDWIRE_RELEASE_KEYS: 'A'.repeat(43),
  })
  built = { bytes: readFileSync(msi), slot: readSlot() }
  service = await startDistributionService(undefined, { DS_STAMP_INSTALLERS: 'on' })
  machine = await openWindowsMachine(folder)
})
afterAll(async () => {
  await machine?.stop()
  await service?.stop()
  rmSync(folder, { recursive: true, force: true })
})

function readSlot() {
  const text = readFileSync(join(dirname(msi), 'manifest.json'), 'utf8')
  const [{ slot } = {}] = PackageManifest.parse(JSON.parse(text)).files
  if (slot === undefined) throw new Error('Expected a slot in the manifest')
  return slot
}

const readKeptValues = () => machine.output('reg', 'query', `HKLM\\${names.settingsKey}\\Installed`)

test('package, program and service are signed', () => {
  const tree = join(folder, 'tree')
  mkdirSync(tree)
  execFileSync('msiextract', ['--directory', tree, msi], { stdio: 'ignore' })
  const found = execFileSync('find', [tree, '-name', '*.exe'], { encoding: 'utf8' }).trim()
  const signed = [msi, ...found.split('\n')]
  expect(signed).toHaveLength(3)
  expect(signed.map((file) => verifySignature(file, signer))).toEqual([true, true, true])
})

test('what a service sends installs with its values, which no log shows, and connector and registry register', async () => {
  const { installationApiKey } = await publishMsi(service, built, version)
  const sent = join(folder, 'sent.msi')
  writeFileSync(sent, (await service.request('GET', getDownloadPath(version))).bytes)
  expect(verifySignature(sent, signer)).toBe(true)
  const ports = ['CARDWIRE_API_PORTS=26200-26999']
  const { code, log } = await machine.install(['/i', windowsPath(sent), ...ports])

  expect(code).toBe(0)
  const values = await readKeptValues()
  expect(values).toContain(service.url)
  expect(values).toContain(installationApiKey)
  expect(log).not.toContain(installationApiKey)
  const readDevices = async () => {
    const { items } = await service.admin('GET', '/v3/devices')
    const devices = items.map(({ device, approved }: Json) => [
      device?.component ?? 'connector',
      approved,
    ])
    return devices.toSorted()
  }
  await expect.poll(readDevices).toEqual([
    ['connector', false],
    ['registry', false],
  ])
})

test('a package without values leaves those that are there', async () => {
  const before = await readKeptValues()
  const repair = ['REINSTALL=ALL', 'REINSTALLMODE=vamus']
  const { code } = await machine.install(['/i', windowsPath(msi), ...repair])

  expect([code, await readKeptValues()]).toEqual([0, before])
})

test('an uninstallation removes them', async () => {
  const { code } = await machine.install(['/x', createIdentifier(`product ${version}`)])

  expect(code).toBe(0)
  expect(await readKeptValues()).not.toContain('CARDWIRE')
})
