/** Which variables count for a command. */
import { chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import {
  findFolders,
  isPackageFolder,
  readCommandContext,
  readSources,
  requireRead,
  selectVariables,
} from './command-context.ts'

const variables = {
  CARDWIRE_HOSTS: 'bank.example',
  CARDWIRE_MACHINE_DIR: 'C:\\ProgramData\\Cardwire',
  PATH: 'C:\\Windows',
}

test.each([
  ['machine', 'win32', { CARDWIRE_MACHINE_DIR: 'C:\\ProgramData\\Cardwire' }],
  ['machine', 'linux', variables],
  ['machine', 'darwin', variables],
  ['user', 'win32', variables],
  ['user', 'linux', variables],
] as const)('of a command for the %s on %s', (owner, platform, expected) => {
  proves('elevated-user-settings')
  expect(selectVariables(owner, platform, variables)).toEqual(expected)
})

test.each([
  ['linux', '/usr/lib/cardwire', true],
  ['linux', '/Library/Cardwire', false],
  ['darwin', '/Library/Cardwire', true],
  ['win32', 'C:\\Program Files\\Cardwire', true],
  ['win32', 'c:\\program files\\cardwire', true],
  ['win32', 'D:\\elsewhere\\Cardwire', false],
])('on %s a program in %s belongs to a package: %s', (platform, folder, expected) => {
  proves('elevated-user-settings')
  expect(isPackageFolder(folder, platform, 'C:\\Program Files')).toBe(expected)
})

test('the variable ProgramFiles makes no folder one of a package', () => {
  proves('elevated-user-settings')
  vi.stubEnv('ProgramFiles', '/home/ada')
  onTestFinished(() => void vi.unstubAllEnvs())
  expect(isPackageFolder('/home/ada/Cardwire')).toBe(false)
  expect(isPackageFolder('C:\\Program Files\\Cardwire', 'win32')).toBe(true)
})

test('a place that the system does not read ends the command, and one that is not for this account does not', () => {
  proves('machine-settings-unread', 'machine-settings-writable')
  const place = (name: string, more = {}) => ({ name, values: {}, ...more })
  const ignored = place('machine', { fault: 'users other than root can write it' })
  expect(() => requireRead([ignored, place('flag'), place('managed')])).not.toThrow()
  const unread = place('machine', { fault: 'EMFILE', isUnread: true })
  expect(() => requireRead([unread, place('managed')])).toThrow('machine: it cannot be read')
  expect(() => requireRead([place('flag'), place('managed', { fault: 'EACCES' })])).toThrow(
    'managed: it cannot be read (EACCES)',
  )
})

test.runIf(process.getuid?.() === 0).each(['config', 'runtime', 'logs', 'certificates'] as const)(
  'a command of root reads no settings if the %s folder belongs to another account',
  (name) => {
    proves('state-links-planted')
    const home = mkdtempSync(join(tmpdir(), 'cardwire-home-'))
    vi.stubEnv('HOME', home)
    onTestFinished(() => {
      vi.unstubAllEnvs()
      rmSync(home, { recursive: true })
    })
    const { folders, settingsFile } = findFolders()
    mkdirSync(folders.config, { recursive: true })
    writeFileSync(settingsFile, 'CARDWIRE_PCSC_LIBRARY=/home/ada/library.so\n')
    expect(readCommandContext({}).settings.pcscLibrary).toBe('/home/ada/library.so')
    mkdirSync(folders[name], { recursive: true })
    chownSync(folders[name], 1234, 1234)
    for (const read of [readCommandContext, readSources])
      expect(() => read({})).toThrow(`Cannot use "${folders[name]}": it belongs to another account`)
    expect(readCommandContext({}, 'machine').settings.pcscLibrary).toBeUndefined()
  },
)
