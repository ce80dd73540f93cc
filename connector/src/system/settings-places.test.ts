/** The settings of administrators: where they are on each system, and which files count. */
import { chmodSync, chownSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  parseRegistryValues,
  readAdministratorSettings,
  readInstalledSettings,
} from './settings-places.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cardwire-places-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

// A file counts when it is root's.
describe.skipIf(process.getuid?.() !== 0)('on Linux', () => {
  const managed = () => readAdministratorSettings('linux', folder).managed
  const write = (text: string, mode = 0o644) => {
    writeFileSync(join(folder, 'managed.conf'), text)
    chmodSync(join(folder, 'managed.conf'), mode)
  }

  test('they are files of NAME=value lines; one that is not there has none', () => {
    write('# ours\nCARDWIRE_JWT=off\n')
    expect(readAdministratorSettings('linux', folder)).toEqual({
      machine: { name: join(folder, 'cardwire.conf'), values: {} },
      managed: { name: join(folder, 'managed.conf'), values: { CARDWIRE_JWT: 'off' } },
    })
  })

  test.each([
    ['of another account', () => chownSync(join(folder, 'managed.conf'), 12345, 0)],
    ['that its group may write', () => chmodSync(join(folder, 'managed.conf'), 0o664)],
    ['that everybody may write', () => chmodSync(join(folder, 'managed.conf'), 0o646)],
  ])('a file %s is not read, and that is said', (_, change) => {
    write('CARDWIRE_JWT=off')
    change()
    expect(managed()).toMatchObject({ values: {}, fault: expect.stringContaining('root') })
  })

  test('a link to a file of another account is not read', () => {
    const other = join(folder, 'other')
    writeFileSync(other, 'CARDWIRE_JWT=off')
    chownSync(other, 12345, 12345)
    symlinkSync(other, join(folder, 'managed.conf'))
    expect(managed()).toMatchObject({ values: {}, fault: expect.stringContaining('root') })
  })

  test('a pipe in the place of a file is not waited for', () => {
    Bun.spawnSync(['mkfifo', join(folder, 'managed.conf')])
    expect(managed()).toMatchObject({ values: {}, fault: 'it is no regular file' })
  })
})

test('on Windows they are values of two keys that administrators alone may write', () => {
  const asked: string[] = []
  const settings = readAdministratorSettings('win32', '', (program, [, key = '']) => {
    expect(program).toMatch(/\\System32\\reg\.exe$/)
    asked.push(key)
    if (!key.includes('Policies')) throw new Error('there is no such key')
    return `\r\n${key}\r\n    CARDWIRE_DS_URL    REG_SZ    https://ds.example\r\n    CARDWIRE_REGISTRY_PORT    REG_DWORD    0xcb0f\r\n    Other    REG_SZ    x\r\n`
  })
  expect(asked).toEqual(['HKLM\\SOFTWARE\\Cardwire', 'HKLM\\SOFTWARE\\Policies\\Cardwire'])
  expect(settings.machine.values).toEqual({})
  expect(settings.managed.values).toEqual({
    CARDWIRE_DS_URL: 'https://ds.example',
    CARDWIRE_REGISTRY_PORT: '51983',
  })
})

test('a value of Windows keeps the spaces that are in it', () => {
  expect(parseRegistryValues('    CARDWIRE_CA_FILE    REG_SZ    C:\\Our CA\\root.pem\r\n')).toEqual(
    {
      CARDWIRE_CA_FILE: 'C:\\Our CA\\root.pem',
    },
  )
})

test('on macOS they are property lists', () => {
  const settings = readAdministratorSettings('darwin', '', (program, args) => {
    expect([program, ...args.slice(0, 4)]).toEqual([
      '/usr/bin/plutil',
      '-convert',
      'json',
      '-o',
      '-',
    ])
    if (args[4] === '/Library/Preferences/cardwire.plist') throw new Error('no such file')
    return '{"CARDWIRE_REGISTRY_PORT":51983,"CARDWIRE_JWT":"off"}'
  })
  expect(settings.machine.values).toEqual({})
  expect(settings.managed).toEqual({
    name: '/Library/Managed Preferences/cardwire.plist',
    values: { CARDWIRE_REGISTRY_PORT: '51983', CARDWIRE_JWT: 'off' },
  })
})

test('what a service wrote into a package is a place of its own, on Linux', () => {
  const folder = mkdtempSync(join(tmpdir(), 'cardwire-installed-'))
  const name = join(folder, 'installed.conf')
  writeFileSync(name, '# cardwire-slot-1\nCARDWIRE_DS_URL=https://ds.example\n', { mode: 0o644 })
  expect(readInstalledSettings('linux', folder)).toMatchObject([{ name }])
  expect(readInstalledSettings('darwin', folder)).toEqual([])
  rmSync(folder, { recursive: true })
})
