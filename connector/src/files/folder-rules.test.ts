/** Which folders a page may have, on each system. */
import { expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { findFolderFault } from './folder-rules.ts'

const linux = {
  platform: 'linux',
  home: '/home/ada',
  own: ['/home/ada/cw/runtime'],
  programs: ['/usr/bin', '/home/ada/tools/go', '/home/ada', 'relative', ''],
}
const macos = {
  platform: 'darwin',
  home: '/Users/ada',
  own: ['/Users/ada/cw'],
  programs: ['/Users/ada/Tools'],
}
const windows = {
  platform: 'win32',
  home: 'C:\\Users\\ada',
  own: ['C:\\Users\\ada\\cw'],
  programs: ['D:\\Tools\\Bin'],
}
/** HOME is a drive of the network, as other programs set it. */
const otherHome = { ...windows, home: 'H:\\ada', accountHome: windows.home, own: [] }

test.each([
  [otherHome, 'C:\\Users\\ada', 'whole'],
  [otherHome, 'C:\\Users', 'whole'],
  [otherHome, 'H:\\ada', 'whole'],
  [otherHome, 'C:\\Users\\ada\\AppData\\Roaming\\Microsoft\\Windows', 'system'],
  [otherHome, 'H:\\ada\\AppData\\x', 'system'],
  [otherHome, 'C:\\Users\\ada\\work\\.git', 'hidden'],
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
  [linux, '/run', 'system'],
  [linux, '/opt/vendor', 'system'],
  [linux, '/root', 'system'],
  [linux, '/nix/store', 'system'],
  [linux, '/snap/bin', 'system'],
  [linux, '/home/ada/Applications', 'system'],
  [linux, '/home/ada/snap', 'system'],
  [linux, '/home/ada/tools/go', 'system'],
  [linux, '/home/ada/tools', 'system'],
  [linux, 'home/ada/invoices', 'system'],
  [linux, '(unreachable)/invoices', 'system'],
  [macos, '/Users/ada/Library/LaunchAgents', 'system'],
  [macos, '/users/ADA', 'whole'],
  [macos, '/Applications', 'system'],
  [macos, '/opt/homebrew/bin', 'system'],
  [macos, '/System/Volumes/Data/Users/ada', 'system'],
  [macos, '/Users/ada/tools', 'system'],
  [macos, '/Users/ada/CW/runtime', 'own'],
  [windows, 'C:\\', 'whole'],
  [windows, 'D:\\', 'whole'],
  [windows, 'C:\\users', 'whole'],
  [windows, 'C:\\Users\\Ada', 'whole'],
  [windows, 'C:\\Users\\ada\\AppData\\Roaming\\Microsoft', 'system'],
  [windows, 'c:\\windows\\system32', 'system'],
  [windows, 'D:\\Program Files\\x', 'system'],
  [windows, 'd:\\tools', 'system'],
  [windows, 'C:\\Recovery\\x', 'system'],
  [windows, '\\\\localhost\\C$\\Users\\ada\\Documents', 'system'],
  [windows, '\\\\server\\ADMIN$\\System32', 'system'],
  [windows, '\\\\?\\C:\\invoices', 'system'],
  [windows, '\\\\.\\C:\\invoices', 'system'],
  [windows, '\\invoices', 'system'],
] as const)('%o: %s is refused as %s', (context, folder, fault) => {
  proves('folder-too-broad', 'service-names-folder')
  expect(findFolderFault(folder, context)).toBe(fault)
})

test.each([
  [linux, '/home/ada/invoices'],
  [linux, '/home/ada/..invoices'.replace('..', '')],
  [linux, '/srv/shared'],
  [linux, '/run/media/ada/stick'],
  [linux, '/home/adam'],
  [linux, '/home/ada/tools/go/invoices'],
  [linux, '/options'],
  [{ ...linux, home: '/var/lib/ada', own: [] }, '/var/lib/ada/invoices'],
  [macos, '/Users/ada/Documents'],
  [macos, '/Volumes/stick/x'],
  [windows, 'C:\\Users\\ada\\Documents'],
  [windows, 'D:\\invoices'],
  [windows, 'D:\\Tools\\Bin\\invoices'],
  [windows, '\\\\server\\share\\invoices'],
  [windows, '\\\\server\\data$\\invoices'],
] as const)('%o: %s may be given', (context, folder) => {
  expect(findFolderFault(folder, context)).toBeUndefined()
})
