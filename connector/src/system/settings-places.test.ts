/** The settings of administrators: where they are on each system, and which files count. */
import { chmodSync, chownSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { readAdministratorSettings, readInstalledSettings } from './settings-places.ts'

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
    proves('machine-settings-planted', 'machine-settings-writable')
    write('CARDWIRE_JWT=off')
    change()
    expect(managed()).toMatchObject({ values: {}, fault: expect.stringContaining('root') })
  })

  test('a link to a file of another account is not read', () => {
    proves('machine-settings-planted')
    const other = join(folder, 'other')
    writeFileSync(other, 'CARDWIRE_JWT=off')
    chownSync(other, 12345, 12345)
    symlinkSync(other, join(folder, 'managed.conf'))
    expect(managed()).toMatchObject({ values: {}, fault: expect.stringContaining('root') })
  })

  test('a file that the system does not read is not one without settings', () => {
    proves('machine-settings-unread')
    const name = join(folder, 'cardwire.conf')
    symlinkSync(name, name)
    const { machine } = readAdministratorSettings('linux', folder)
    expect(machine).toMatchObject({ name, isUnread: true, fault: expect.stringContaining('ELOOP') })
  })

  test('a pipe in the place of a file is not waited for', () => {
    Bun.spawnSync(['mkfifo', join(folder, 'managed.conf')])
    expect(managed()).toMatchObject({ values: {}, fault: 'it is not a regular file' })
  })
})

const nothing = { readMachineKey: () => ({}), readPropertyList: () => undefined }

test('on Windows they are values of two keys that administrators alone may write', () => {
  proves('machine-settings')
  const { machine, managed } = readAdministratorSettings('win32', '', {
    ...nothing,
    readMachineKey: (path) =>
      path === 'SOFTWARE\\Policies\\Cardwire' ? { CARDWIRE_DS_URL: 'https://ds.example' } : {},
  })
  expect(machine).toEqual({ name: 'HKLM\\SOFTWARE\\Cardwire', values: {} })
  expect(managed).toEqual({
    name: 'HKLM\\SOFTWARE\\Policies\\Cardwire',
    values: { CARDWIRE_DS_URL: 'https://ds.example' },
  })
})

test('on macOS they are property lists', () => {
  proves('machine-settings')
  const { machine, managed } = readAdministratorSettings('darwin', '', {
    ...nothing,
    readPropertyList: (path) =>
      path === '/Library/Managed Preferences/cardwire.plist'
        ? '{"CARDWIRE_REGISTRY_PORT":51983,"CARDWIRE_JWT":"off"}'
        : undefined,
  })
  expect(machine.values).toEqual({})
  expect(managed).toEqual({
    name: '/Library/Managed Preferences/cardwire.plist',
    values: { CARDWIRE_REGISTRY_PORT: '51983', CARDWIRE_JWT: 'off' },
  })
})

test.each(['win32', 'darwin'])('on %s a place that cannot be read is a fault', (platform) => {
  proves('machine-settings-unread')
  const fail = () => {
    throw new Error('access is denied')
  }
  const calls = { readMachineKey: fail, readPropertyList: fail }
  const unread = { values: {}, fault: 'access is denied', isUnread: true }
  const { machine, managed } = readAdministratorSettings(platform, '', calls)
  expect([machine, managed]).toMatchObject([unread, unread])
})

test('what a service wrote into a package is a place of its own, on Linux and Windows', () => {
  const folder = mkdtempSync(join(tmpdir(), 'cardwire-installed-'))
  const name = join(folder, 'installed.conf')
  writeFileSync(name, '# cardwire-slot-1\nCARDWIRE_DS_URL=https://ds.example\n', { mode: 0o644 })
  expect(readInstalledSettings('linux', folder)).toMatchObject([{ name }])
  expect(readInstalledSettings('darwin', folder)).toEqual([])
  const key = 'SOFTWARE\\Cardwire\\Installed'
  const values = { CARDWIRE_DS_URL: 'https://ds.example' }
  const readMachineKey = (path: string) => (path === key ? values : {})
  expect(readInstalledSettings('win32', '', { readMachineKey })).toEqual([
    { name: `HKLM\\${key}`, values },
  ])
  rmSync(folder, { recursive: true })
})
