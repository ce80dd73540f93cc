/** Which folders a page may have, on each system. */
import { expect, test } from 'vitest'
import { findFolderFault } from './folder-rules.ts'

const linux = { platform: 'linux', home: '/home/ada', own: ['/home/ada/cw/runtime'] }
const macos = { platform: 'darwin', home: '/Users/ada', own: ['/Users/ada/cw'] }
const windows = { platform: 'win32', home: 'C:\\Users\\ada', own: ['C:\\Users\\ada\\cw'] }

test.each([
  [linux, '/', 'whole'],
  [linux, '/home', 'whole'],
  [linux, '/home/ada', 'whole'],
  [linux, '/home/ada/.ssh', 'hidden'],
  [linux, '/home/ada/work/.git/hooks', 'hidden'],
  [linux, '/home/ada/bin', 'system'],
  [linux, '/home/ada/cw', 'own'],
  [linux, '/home/ada/cw/runtime/x', 'own'],
  [linux, '/etc/cron.d', 'system'],
  [linux, '/usr/local/bin', 'system'],
  [linux, '/run/user/1000', 'system'],
  [macos, '/Users/ada/Library/LaunchAgents', 'system'],
  [macos, '/users/ADA', 'whole'],
  [macos, '/Applications', 'system'],
  [windows, 'C:\\', 'whole'],
  [windows, 'D:\\', 'whole'],
  [windows, 'C:\\users', 'whole'],
  [windows, 'C:\\Users\\Ada', 'whole'],
  [windows, 'C:\\Users\\ada\\AppData\\Roaming\\Microsoft', 'system'],
  [windows, 'c:\\windows\\system32', 'system'],
  [windows, 'D:\\Program Files\\x', 'system'],
] as const)('%o: %s is refused as %s', (context, folder, fault) => {
  expect(findFolderFault(folder, context)).toBe(fault)
})

test.each([
  [linux, '/home/ada/invoices'],
  [linux, '/home/ada/..invoices'.replace('..', '')],
  [linux, '/srv/shared'],
  [linux, '/run/media/ada/stick'],
  [linux, '/home/adam'],
  [{ ...linux, home: '/var/lib/ada', own: [] }, '/var/lib/ada/invoices'],
  [macos, '/Users/ada/Documents'],
  [macos, '/Volumes/stick/x'],
  [windows, 'C:\\Users\\ada\\Documents'],
  [windows, 'D:\\invoices'],
  [windows, '\\\\server\\share\\invoices'],
] as const)('%o: %s may be given', (context, folder) => {
  expect(findFolderFault(folder, context)).toBeUndefined()
})
