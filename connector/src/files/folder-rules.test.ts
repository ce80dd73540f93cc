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
const otherHome = { ...windows, home: 'H:\\ada', otherHomes: [windows.home], own: [] }
/** Where an administrator has moved what usually lies in the profile, in ProgramData and in Windows. */
const moved = {
  ...windows,
  settings: [
    'D:\\Roaming\\ada',
    '\\\\server\\profiles\\ada\\Start Menu',
    'E:\\WinNT',
    'relative',
    '',
  ],
}
const movedOnLinux = { ...linux, settings: ['/home/ada/config', '/srv/state'] }
const networkHome = { ...windows, home: '\\\\server\\homes\\ada', own: [] }

test.each([
  [otherHome, 'C:\\Users\\ada', 'whole'],
  [otherHome, 'C:\\Users', 'whole'],
  [otherHome, 'H:\\ada', 'whole'],
  [otherHome, 'C:\\Users\\ada\\AppData\\Roaming\\Microsoft\\Windows', 'system'],
  [otherHome, 'H:\\ada\\AppData\\x', 'system'],
  [otherHome, 'C:\\Users\\ada\\work\\.git', 'hidden'],
  [moved, 'D:\\Roaming\\ada', 'system'],
  [moved, 'd:\\ROAMING\\ada\\Microsoft\\Windows', 'system'],
  [moved, 'D:\\Roaming', 'system'],
  [moved, '\\\\server\\profiles\\ada\\Start Menu\\Programs\\Startup', 'system'],
  [moved, '\\\\server.example\\profiles\\ada', 'system'],
  [moved, 'E:\\WinNT\\system32', 'system'],
  [movedOnLinux, '/home/ada/config/autostart', 'system'],
  [movedOnLinux, '/srv/state', 'system'],
  [networkHome, '\\\\server\\homes\\ada', 'whole'],
  [networkHome, '\\\\server.example\\homes\\ADA', 'whole'],
  [networkHome, '\\\\server.example\\homes\\ada\\AppData\\x', 'system'],
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
  ...(
    [
      ...['localhost', 'LOCALHOST', 'a.localhost', 'localhost.', 'wsl.localhost', 'wsl$'],
      ...['127.1', '127.0.0.01', '2130706433', '0x7f000001', '0x7f.1', 'a.0x', '192.0.2.256'],
      ...['--1.ipv6-literal.net', '0-0-0-0-0-0-0-1.IPv6-literal.net', '[::1]', '::1'],
      ...['server@SSL', 'server@8080', 'sérver', '\uff11\uff12\uff17.0.0.1', 'a b', '.', '?', '..'],
    ] as const
  ).map((host) => [windows, `\\\\${host}\\Users\\ada\\Documents`, 'system'] as const),
  [windows, '\\\\?\\UNC\\server\\share\\invoices', 'system'],
  [windows, '\\\\?\\UNC\\localhost\\C$\\Users', 'system'],
  [windows, '\\\\?\\GLOBALROOT\\Device\\HarddiskVolume1\\Users', 'system'],
  [windows, '\\\\?\\Volume{01234567-89ab-cdef-0123-456789abcdef}\\Users', 'system'],
  [windows, '\\\\.\\UNC\\localhost\\Users', 'system'],
  [windows, '\\??\\C:\\Users\\ada', 'system'],
  [windows, '//localhost/Users/ada', 'system'],
  [windows, '//server/share/invoices', 'system'],
  [windows, '\\\\server', 'system'],
  [windows, '\\\\server\\', 'system'],
  [windows, '\\\\server\\ipc$\\x', 'system'],
  [windows, '\\\\server\\C$\\invoices', 'system'],
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
  [windows, '\\\\198.51.100.1\\share\\invoices'],
  [windows, '\\\\files-2.example.com\\share\\invoices'],
  [windows, '\\\\localhost.example\\share\\invoices'],
  [moved, 'D:\\invoices'],
  [moved, '\\\\server\\profiles\\ada\\Documents'],
  [movedOnLinux, '/home/ada/invoices'],
  [networkHome, '\\\\server\\homes\\ada\\Documents'],
  [networkHome, '\\\\server\\share\\ada'],
] as const)('%o: %s may be given', (context, folder) => {
  expect(findFolderFault(folder, context)).toBeUndefined()
})
