/** The plan for an installer, by its kind, the system and the user. */
import { describe, expect, test } from 'vitest'
import { formatProgress } from '../../commands/terminal.ts'
import { detectInstallerKind, type InstallEnvironment, planInstallation } from './install-plan.ts'

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

const createEnvironment = (change: Partial<InstallEnvironment> = {}): InstallEnvironment => ({
  platform: 'linux',
  administrator: false,
  terminal: false,
  desktop: false,
  hasProgram: () => true,
  ...change,
})
const apt = ['apt-get', 'install', '--yes', '--allow-downgrades', '/x.deb'] as const

describe('planInstallation', () => {
  test.each<[string, Partial<InstallEnvironment>, unknown]>([
    ['an administrator', { administrator: true }, { kind: 'run', command: apt }],
    ['somebody at a terminal', { terminal: true }, { kind: 'run', command: ['sudo', ...apt] }],
    ['somebody at a desktop', { desktop: true }, { kind: 'run', command: ['pkexec', ...apt] }],
    [
      'somebody at both, without sudo',
      { terminal: true, desktop: true, hasProgram: (program) => program !== 'sudo' },
      { kind: 'run', command: ['pkexec', ...apt] },
    ],
    ['nobody who could be asked', {}, { kind: 'instruct', command: ['sudo', ...apt].join(' ') }],
    [
      'a system without apt',
      { administrator: true, hasProgram: (program) => program !== 'apt-get' },
      { kind: 'instruct', command: undefined },
    ],
  ])('installs a package of Debian for %s', (_, change, plan) => {
    expect(planInstallation('deb', '/x.deb', createEnvironment(change))).toEqual(plan)
  })

  test.each([
    [
      'linux',
      'rpm',
      { kind: 'run', command: ['dnf', 'install', '--assumeyes', '--allow-downgrade', '/x'] },
    ],
    ['darwin', 'pkg', { kind: 'run', command: ['open', '-W', '/x'] }],
    ['win32', 'msi', { kind: 'open' }],
    ['win32', 'exe', { kind: 'open' }],
    ['win32', 'deb', { kind: 'instruct', command: undefined }],
    ['darwin', 'exe', { kind: 'instruct', command: undefined }],
    ['linux', 'exe', { kind: 'instruct', command: undefined }],
    ['linux', undefined, { kind: 'instruct', command: undefined }],
  ] as const)('on %s, for %s', (platform, kind, plan) => {
    expect(
      planInstallation(kind, '/x', createEnvironment({ platform, administrator: true })),
    ).toEqual(plan)
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
