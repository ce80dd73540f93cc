/** The package for Windows, by its structure: read by the programs of msitools. Its life under Wine is in `packages/test/windows.test.ts`. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isWholeRun } from '../../../test/bed/amounts.ts'
import { proves } from '../../../test/bed/proves.ts'
import type { PackageFacts } from '../../packages/package-facts.ts'
import { msi } from '../../packages/windows/msi.ts'

const folder = mkdtempSync(join(tmpdir(), 'cardwire-msi-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const run = (program: string, ...args: readonly string[]) =>
  execFileSync(program, args, { encoding: 'utf8' })

/** Builds with a program of some bytes, into a folder of its own. */
async function build(name: string, version = '4.1.0'): Promise<string> {
  const [work, out] = [join(folder, name, 'work'), join(folder, name, 'out')]
  for (const path of [work, out]) mkdirSync(path, { recursive: true })
  const program = join(work, 'program')
  writeFileSync(program, 'a program\n')
  const facts: PackageFacts = {
    version,
    writtenAt: 1_700_000_000,
    isFast: false,
    architectures: ['x64'],
    compileProgram: async () => program,
    work,
    out,
    report: () => undefined,
  }
  const file = `cardwire-${version}-x64.msi`
  expect(await msi.build(facts)).toEqual([{ file, system: 'WIN64', architecture: 'x64' }])
  return join(out, file)
}

let file: string
beforeAll(async () => {
  file = await build('first')
})

/** The rows of a table, by their first column. */
function readTable(name: string, path = file): ReadonlyMap<string, readonly string[]> {
  const [, , , ...rows] = run('msiinfo', 'export', path, name).trim().split(/\r?\n/)
  return new Map(rows.map((row) => row.split('\t')).map(([key = '', ...rest]) => [key, rest]))
}

const readProperty = (name: string, path?: string) => readTable('Property', path).get(name)?.[0]

// A third build is long.
if (isWholeRun())
  test('the same sources make the same bytes, in another folder', async () => {
    expect(Buffer.compare(readFileSync(file), readFileSync(await build('second')))).toBe(0)
  })

test('its cabinet has the files of the table, with their bytes', () => {
  const unpacked = join(folder, 'unpacked')
  run('msiextract', '--directory', unpacked, file)
  const program = join(unpacked, 'Cardwire/cardwire.exe')
  expect(readFileSync(program, 'utf8')).toBe('a program\n')
  expect([...readTable('File').keys()].toSorted()).toEqual([
    'cardwire-service.exe',
    'cardwire.exe',
    'smartcard_list.LICENSE.txt',
    'smartcard_list.txt',
    'third-party-licences.txt',
    'trust-task.xml',
  ])
})

test('every version is an upgrade of every other, and a product of its own', async () => {
  const next = await build('next', '4.2.0-rc.1')
  expect(readProperty('UpgradeCode', next)).toBe(readProperty('UpgradeCode'))
  expect(readProperty('ProductCode', next)).not.toBe(readProperty('ProductCode'))
  expect(readProperty('ProductVersion', next)).toBe('4.2.0')
})

test('the installation key is a hidden property, and no table writes it', () => {
  proves('msi-key-leaked')
  expect(readProperty('MsiHiddenProperties')?.split(';')).toContain('CARDWIRE_INSTALLATION_KEY')
  expect(readProperty('MsiHiddenProperties')?.split(';')).toContain('StoreSettings')
  expect(readProperty('SecureCustomProperties')?.split(';')).toContain('CARDWIRE_INSTALLATION_KEY')
  expect(run('msiinfo', 'export', file, 'Registry')).not.toContain('INSTALLATION_KEY')
  // "Custom Action Hidden Target Option": 8192.
  const [type] = readTable('CustomAction').get('StoreSettings') ?? []
  expect(Number(type) & 0x2000).toBe(0x2000)
})

test('a repair takes no settings', () => {
  proves('windows-repair-settings')
  const sequence = readTable('InstallExecuteSequence')
  for (const name of ['StoreValues', 'StoreSettings'])
    expect(sequence.get(name)?.[0]).toBe('NOT REMOVE="ALL" AND NOT Installed')
})

test('earlier versions are removed within the transaction, before anything is written', () => {
  proves('upgrade-stops-processes')
  const sequence = readTable('InstallExecuteSequence')
  const at = (name: string) => Number(sequence.get(name)?.[1])
  expect(at('RemoveExistingProducts')).toBe(at('InstallInitialize') + 1)
  const order = ['StopServices', 'EndProcesses', 'RemoveFiles', 'InstallFiles', 'StoreSettings']
  const starts = ['InstallServices', 'ConfigureRegistry', 'StartServices', 'StartAgents']
  const numbers = [...order, ...starts].map(at)
  expect(numbers).toEqual(numbers.toSorted((a, b) => a - b))
})

test('a full removal alone takes trust and runtimes away, and an upgrade does not', () => {
  proves('uninstall-removes-all')
  const sequence = readTable('InstallExecuteSequence')
  const removals = ['Untrust', 'UntrustUsers', 'UnscheduleTrust', 'RemoveState']
  for (const name of removals)
    expect(sequence.get(name)?.[0]).toBe('REMOVE="ALL" AND NOT UPGRADINGPRODUCTCODE')
})

test('the installer starts no program with a window, and a repair, which everybody may start, runs none', () => {
  proves('msi-repair-window')
  const actions = [...readTable('CustomAction')]
  // "Custom Action Types": 2, 18, 34 and 50 are programs; 5 and 6, 21 and 22, 37 and 38 are scripts.
  const kinds = new Set(actions.map(([, [type]]) => Number(type) & 0x3f))
  expect(kinds).toEqual(new Set([1, 51]))
  const hidden = actions.filter(([, [, , target]]) => target === 'RunHidden').map(([name]) => name)
  const sequence = readTable('InstallExecuteSequence')
  expect(hidden.map((name) => [name, sequence.get(name)?.[0]]).toSorted()).toEqual([
    ['ScheduleTrust', 'NOT REMOVE="ALL" AND NOT Installed'],
    ['StoreValues', 'NOT REMOVE="ALL" AND NOT Installed'],
    ['Trust', 'NOT REMOVE="ALL" AND NOT Installed AND NOT REGISTRYDISABLED'],
    ['TrustUsers', 'NOT REMOVE="ALL" AND NOT Installed'],
    ['UnscheduleTrust', 'REMOVE="ALL" AND NOT UPGRADINGPRODUCTCODE'],
    ['Untrust', 'REMOVE="ALL" AND NOT UPGRADINGPRODUCTCODE'],
    ['UntrustUsers', 'REMOVE="ALL" AND NOT UPGRADINGPRODUCTCODE'],
  ])
  const programs = hidden.map((name) => readTable('CustomAction').get(`Set${name}`)?.[2])
  for (const program of programs) expect(program).toMatch(/^"\[(InstallFolder|System64Folder)\]/)
})
