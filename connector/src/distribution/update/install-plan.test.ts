/** What installs a file, by its kind and the system, and how that gets the rights of an administrator. */
import { describe, expect, test } from 'vitest'
import { proves } from '../../../../test/bed/proves.ts'
import { formatProgress } from '../../commands/terminal.ts'
import { detectInstallerKind, type Elevation, elevate, findInstallCommand } from './install-plan.ts'

test.each([
  ['deb', '!<arch>\ndebian-binary'],
  ['rpm', '\xed\xab\xee\xdb\x03\x00'],
  ['msi', '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\x00'],
  ['exe', 'MZ\x90\x00'],
  ['pkg', 'xar!\x00\x1c'],
  [undefined, '#!/bin/sh\nrm -rf'],
  [undefined, 'M'],
  [undefined, ''],
])('detectInstallerKind finds %s by its first bytes', (kind, text) => {
  expect(detectInstallerKind(Buffer.from(text, 'latin1'))).toBe(kind)
})

const apt = [
  ...['apt-get', '--option', 'DPkg::Lock::Timeout=300', 'install', '--yes'],
  ...['--allow-downgrades', '/x'],
]

describe('findInstallCommand', () => {
  test.each([
    ['linux', 'deb', apt],
    ['linux', 'rpm', ['dnf', 'install', '--assumeyes', '/x']],
    ['darwin', 'pkg', ['/usr/sbin/installer', '-pkg', '/x', '-target', '/']],
    [
      ...['win32', 'msi'],
      [
        'C:\\Windows\\System32\\msiexec.exe',
        ...['/i', '/x', '/passive', '/norestart', 'ALLOWDOWNGRADE=1'],
      ],
    ],
    ['win32', 'exe', ['/x']],
    ['win32', 'deb', undefined],
    ['darwin', 'exe', undefined],
    ['linux', 'exe', undefined],
    ['linux', undefined, undefined],
    ['freebsd', 'deb', undefined],
  ] as const)('on %s, for %s', (platform, kind, command) => {
    proves('msiexec-planted')
    expect(findInstallCommand(kind, '/x', { platform, hasProgram: () => true })).toEqual(command)
  })

  test.each([
    ['deb', ['dpkg', '--install', '/x']],
    ['rpm', ['rpm', '--upgrade', '--oldpackage', '/x']],
  ] as const)(
    'where the usual program for %s is missing takes the one below it',
    (kind, command) => {
      const hasProgram = (program: string) => program === command[0]
      expect(findInstallCommand(kind, '/x', { platform: 'linux', hasProgram })).toEqual(command)
    },
  )
})

describe('elevate', () => {
  const create = (change: Partial<Elevation>): Elevation => ({
    ...{ platform: 'linux', isAdministrator: false, hasTerminal: false, hasDesktop: false },
    hasProgram: () => true,
    ...change,
  })

  test.each<[string, Partial<Elevation>, unknown]>([
    ['an administrator', { isAdministrator: true }, ['/p', 'a']],
    ['somebody at a terminal', { hasTerminal: true }, ['sudo', '--', '/p', 'a']],
    ['somebody at a desktop', { hasDesktop: true }, ['pkexec', '/p', 'a']],
    [
      'somebody at both, without sudo',
      { hasTerminal: true, hasDesktop: true, hasProgram: (program) => program !== 'sudo' },
      ['pkexec', '/p', 'a'],
    ],
    ['nobody who could be asked', {}, undefined],
    ['a desktop that cannot ask', { hasDesktop: true, hasProgram: () => false }, undefined],
    [
      'somebody at the terminal of a Mac',
      { platform: 'darwin', hasTerminal: true, hasDesktop: true },
      ['sudo', '--', '/p', 'a'],
    ],
  ])('for %s', (_, change, command) => {
    expect(elevate(['/p', 'a'], create(change))).toEqual(command)
  })

  test('on the desktop of a Mac has osascript ask, with the command as data', () => {
    const command = elevate(['/p', 'a "b"'], create({ platform: 'darwin', hasDesktop: true }))
    expect(command?.slice(0, 3)).toEqual(['/usr/bin/osascript', '-e', 'on run parts'])
    expect(command?.slice(-3)).toEqual(['end run', '/p', 'a "b"'])
  })

  test.each(["'", '‘', '’', '‚', '‛'])(
    'on Windows doubles %s, which ends a text of PowerShell',
    (quote) => {
      const command = elevate([`C:\\O${quote}Neil\\p.exe`], create({ platform: 'win32' }))
      expect(command?.at(-1)).toContain(`-FilePath 'C:\\O${quote}${quote}Neil\\p.exe' `)
    },
  )

  test('on Windows has PowerShell ask, with quotes doubled', () => {
    const command = elevate([String.raw`C:\O'Neil\p.exe`, 'x y'], create({ platform: 'win32' }))
    expect(command?.at(-1)).toBe(
      String.raw`exit (Start-Process -FilePath 'C:\O''Neil\p.exe' -ArgumentList '"x y"' -Verb RunAs -Wait -PassThru).ExitCode`,
    )
  })
})

test.each([
  [0, 4_194_304, '░░░░░░░░░░░░░░░░░░░░░░░░   0 %  0.0 of 4.0 MB'],
  [2_097_152, 4_194_304, '████████████░░░░░░░░░░░░  50 %  2.0 of 4.0 MB'],
  [4_194_303, 4_194_304, '████████████████████████  99 %  4.0 of 4.0 MB'],
  [4_194_304, 4_194_304, '████████████████████████ 100 %  4.0 of 4.0 MB'],
  [2_097_152, undefined, '2.0 MB'],
])('barOf %i of %s bytes', (bytes, all, line) => {
  expect(formatProgress(bytes, all)).toBe(line)
})
