/** The program for Windows and a package with a slot, signed and under Wine. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import {
  type DistributionService,
  startDistributionService,
} from '../../../test/bed/distribution-service.ts'
import { findFreePort } from '../../../test/bed/free-port.ts'
import { proves } from '../../../test/bed/proves.ts'
import { createWindowsSigner } from '../../build/sign-windows.ts'
import { version } from '../../src/version.ts'
import { getDownloadPath, makeSignedMsi, publishMsi } from '../packages/published-msi.ts'
import { makeSigner, type Signer, verifySignature } from '../packages/sample-msi.ts'
import { buildWindowsConnector, type WindowsConnector } from './windows-connector.ts'
import { openWine, type Wine, windowsPath } from './wine.ts'

let folder = ''
let wine: Wine
let connector: WindowsConnector
let signer: Signer
let service: DistributionService
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cardwire-signed-'))
  wine = await openWine(join(folder, 'prefix'))
  connector = await buildWindowsConnector(wine, join(folder, 'program'), {
    CARDWIRE_API_PORTS: '26200-26999',
    CARDWIRE_REGISTRY_PORT: String(await findFreePort()),
  })
  signer = makeSigner(folder)
  service = await startDistributionService(undefined, { DS_STAMP_INSTALLERS: 'on' })
})
afterAll(async () => {
  await wine.stop()
  await service.stop()
  await rm(folder, { recursive: true })
})

test('a program that the command of whoever releases has signed runs', async () => {
  const program = join(folder, 'program/cardwire.exe')
  expect(verifySignature(program, signer)).toBe(false)
  createWindowsSigner(signer.command)?.(program)

  expect(verifySignature(program, signer)).toBe(true)
  expect(await connector.command('version')).toEqual({ code: 0, output: `${version}\n` })
})

test('with the values of its service alone a connector registers, and none of them is shown', async () => {
  proves('package-has-installation-key', 'stamped-key-leaked')
  const file = join(folder, 'download.msi')
  const built = makeSignedMsi(folder, signer)
  await writeFile(file, built.bytes)
  const keep = () => connector.command('install-values', windowsPath(file))
  expect(await keep()).toEqual({ code: 0, output: 'No service wrote values into the package\n' })

  const { installationApiKey } = await publishMsi(service, built, version)
  await writeFile(file, (await service.request('GET', getDownloadPath(version))).bytes)
  const names = ['CARDWIRE_DS_URL', 'CARDWIRE_INSTALLATION_KEY', 'CARDWIRE_DS_FINGERPRINTS']
  expect(await keep()).toEqual({ code: 0, output: `Kept ${names.join(', ')}\n` })

  const { output } = await connector.command('settings', '--json')
  const source = 'HKLM\\SOFTWARE\\Cardwire\\Installed'
  const { settings } = JSON.parse(output)
  expect(settings).toContainEqual({ name: 'CARDWIRE_DS_URL', value: service.url, source })
  expect(output).not.toContain(installationApiKey)
  // A second attempt finds nothing that still runs.
  onTestFinished(wine.stop)
  const running = await connector.run()
  await expect
    .poll(() => service.admin('GET', '/v3/devices'))
    .toMatchObject({ items: [{ approved: false }] })
  expect(running.output()).not.toContain(installationApiKey)
})

test('a package that cannot be read is told', async () => {
  const { code, output } = await connector.command('install-values', 'Z:\\missing.msi')
  expect(code).toBe(1)
  expect(output).toContain('Cannot keep the values of the package: ')
})
