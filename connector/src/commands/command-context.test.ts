/** Which variables count for a command. */
import { expect, onTestFinished, test, vi } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { isPackageFolder, requireRead, selectVariables } from './command-context.ts'

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
  const ignored = place('machine', { fault: 'others than root may write it' })
  expect(() => requireRead([ignored, place('flag'), place('managed')])).not.toThrow()
  const unread = place('machine', { fault: 'EMFILE', isUnread: true })
  expect(() => requireRead([unread, place('managed')])).toThrow('machine: it cannot be read')
  expect(() => requireRead([place('flag'), place('managed', { fault: 'EACCES' })])).toThrow(
    'managed: it cannot be read (EACCES)',
  )
})
