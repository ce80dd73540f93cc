/** The package for Windows on a machine where an account without rights was before: as far as Wine is one. */
import {
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findFreePort } from '../../../../test/bed/free-port.ts'
import { proves } from '../../../../test/bed/proves.ts'
import { waitFor } from '../../../../test/bed/wait-for.ts'
import { openWindowsMachine, type WindowsMachine } from '../../../packages/test/windows-machine.ts'
import { names } from '../../../packages/windows/places.ts'
import { windowsPath } from '../../wine/wine.ts'
import { makePackage } from './make-packages.ts'

const state = 'ProgramData/Cardwire'
let folder: string
let machine: WindowsMachine
let msi: string
let settings: readonly string[]
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cardwire-msi-'))
  msi = makePackage(join(folder, '4.0.0'), ['--formats', 'msi', '--fast', '--version', '4.0.0'])
  machine = await openWindowsMachine(folder)
  settings = [`CARDWIRE_REGISTRY_PORT=${await findFreePort()}`, 'CARDWIRE_API_PORTS=26200-26999']
})
afterAll(async () => {
  await machine?.stop()
  rmSync(folder, { recursive: true, force: true })
})

const stranger = 12_345

/** A folder that an account without rights has made, with a file in it. Wine knows this account's files from all others. */
function plant(name: string): void {
  mkdirSync(machine.path(name), { recursive: true })
  writeFileSync(machine.path(`${name}/planted.txt`), 'planted')
  chownSync(machine.path(name), stranger, stranger)
  chownSync(machine.path(`${name}/planted.txt`), stranger, stranger)
}

test('a folder of the machine that a user has made is moved away', async () => {
  proves('program-data-planted')
  plant(state)
  plant(`${state}/certificates`)
  const { code } = await machine.install(['/i', windowsPath(msi), ...settings])
  expect(code).toBe(0)
  expect(readdirSync(machine.path(state))).not.toContain('planted.txt')
  expect(existsSync(machine.path(`${state}/certificates/planted.txt`))).toBe(false)
  // Its owner could give the rights back.
  expect(statSync(machine.path(state)).uid).not.toBe(stranger)
  await machine.install(['/x', windowsPath(msi)])
})

test('what a user has put into the folder that the system had made is moved away, and the rest stays', async () => {
  proves('program-data-planted')
  rmSync(machine.path(state), { recursive: true, force: true })
  mkdirSync(machine.path(`${state}/logs`), { recursive: true })
  writeFileSync(machine.path(`${state}/logs/earlier.log`), '')
  plant(`${state}/public`)
  plant(`${state}/certificates`)
  const { code } = await machine.install(['/i', windowsPath(msi), ...settings])
  expect(code).toBe(0)
  expect(existsSync(machine.path(`${state}/public/planted.txt`))).toBe(false)
  expect(existsSync(machine.path(`${state}/certificates/planted.txt`))).toBe(false)
  expect(existsSync(machine.path(`${state}/logs/earlier.log`))).toBe(true)
})

test('a repair, which needs no administrator, changes no settings', async () => {
  proves('windows-repair-settings')
  const repair = ['REINSTALL=ALL', 'REINSTALLMODE=amus']
  const other = ['CARDWIRE_DS_URL=https://elsewhere.example']
  const { code } = await machine.install(['/i', windowsPath(msi), ...repair, ...other])
  expect(code).toBe(0)
  const output = await machine.output('reg', 'query', `HKLM\\${names.settingsKey}`)
  expect(output).not.toContain('elsewhere.example')
})

test('a link in the registry’s folder gives no rights to its target', async () => {
  proves('program-data-linked')
  const treasure = join(folder, 'treasure')
  mkdirSync(treasure, { mode: 0o700 })
  writeFileSync(join(treasure, 'gold'), 'gold')
  const { ino } = statSync(treasure)
  // The registry of the repair before may be making the folder again.
  await waitFor(() => {
    rmSync(machine.path(`${state}/public`), { recursive: true, force: true })
    return tryToLink(treasure, machine.path(`${state}/public`))
  })
  await machine.install(['/i', windowsPath(msi), 'REINSTALL=ALL', 'REINSTALLMODE=amus'])
  // Windows moves a link away, and Wine what it leads to.
  const beside = readdirSync(machine.path('ProgramData')).map((name) =>
    machine.path(`ProgramData/${name}`),
  )
  const found = [treasure, ...beside].flatMap(
    (path) => lstatSync(path, { throwIfNoEntry: false }) ?? [],
  )
  expect(found.find((one) => one.ino === ino)?.mode).toBe(0o40700)
})

/** Whether there was nothing in its place. */
function tryToLink(target: string, path: string): boolean {
  try {
    symlinkSync(target, path)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
}
