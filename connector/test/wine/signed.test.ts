/** The program for Windows and a package with a slot, signed and under Wine. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeSlot } from '@cardwire/client/protocol'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createWindowsSigner } from '../../build/sign-windows.ts'
import { signMsi } from '../../packages/windows/slotted-msi.ts'
import { version } from '../../src/version.ts'
import { stampedValues } from '../binary/packages/make-packages.ts'
import { makeSampleMsi, makeSigner, type Signer, verifySignature } from '../packages/sample-msi.ts'
import { buildWindowsConnector, type WindowsConnector } from './windows-connector.ts'
import { openWine, type Wine, windowsPath } from './wine.ts'

let folder = ''
let wine: Wine
let connector: WindowsConnector
let signer: Signer
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cardwire-signed-'))
  wine = await openWine(join(folder, 'prefix'))
  connector = await buildWindowsConnector(wine, join(folder, 'program'), {})
  signer = makeSigner(folder)
}, 600_000)
afterAll(async () => {
  await wine.stop()
  await rm(folder, { recursive: true })
})

test('a program that the command of whoever releases has signed runs', async () => {
  const program = join(folder, 'program/cardwire.exe')
  expect(verifySignature(program, signer)).toBe(false)
  createWindowsSigner(signer.command)?.(program)

  expect(verifySignature(program, signer)).toBe(true)
  expect(await connector.command('version')).toEqual({ code: 0, output: `${version}\n` })
})

test('the values of a service become settings of the machine, and none of them is shown', async () => {
  const file = makeSampleMsi(folder)
  const none = await connector.command('install-values', windowsPath(file))
  expect(none).toEqual({ code: 0, output: 'No service wrote values into the package\n' })

  const signWindows = createWindowsSigner(signer.command)
  const slot = signMsi(file, { signWindows, report: () => undefined })
  const bytes = await readFile(file)
  bytes.set(writeSlot(stampedValues) ?? [], slot?.offset)
  await writeFile(file, bytes)
  const { code, output } = await connector.command('install-values', windowsPath(file))
  const names = ['CARDWIRE_DS_URL', 'CARDWIRE_INSTALLATION_KEY', 'CARDWIRE_DS_FINGERPRINTS']
  expect([code, output]).toEqual([0, `Kept ${names.join(', ')}\n`])

  const shown = await connector.command('settings', '--json')
  const source = 'HKLM\\SOFTWARE\\Cardwire\\Installed'
  expect(JSON.parse(shown.output).settings).toEqual(
    expect.arrayContaining([
      { name: 'CARDWIRE_DS_URL', value: stampedValues.url, source },
      { name: 'CARDWIRE_INSTALLATION_KEY', value: '(set)', source },
      { name: 'CARDWIRE_DS_FINGERPRINTS', value: stampedValues.fingerprints[0], source },
    ]),
  )
})

test('a package that cannot be read is told', async () => {
  const { code, output } = await connector.command('install-values', 'Z:\\missing.msi')
  expect(code).toBe(1)
  expect(output).toContain('Cannot keep the values of the package: ')
})
