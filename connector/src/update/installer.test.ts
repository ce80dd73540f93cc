/** What is done with an installer, by its kind, the system, and who is there. */
import { describe, expect, test } from 'vitest'
import { kindOf, planFor, type Surroundings } from './installer.ts'
import { barOf } from './progress.ts'

test.each([
  ['deb', '!<arch>\ndebian-binary'],
  ['rpm', '\xed\xab\xee\xdb\x03\x00'],
  ['msi', '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\x00'],
  ['exe', 'MZ\x90\x00'],
  ['pkg', 'xar!\x00\x1c'],
  [undefined, '#!/bin/sh\nrm -rf'],
  [undefined, 'M'],
  [undefined, ''],
])('kindOf knows %s by its beginning', (kind, text) => {
  expect(kindOf(Buffer.from(text, 'latin1'))).toBe(kind)
})

const around = (change: Partial<Surroundings> = {}): Surroundings => ({
  platform: 'linux',
  administrator: false,
  terminal: false,
  desktop: false,
  has: () => true,
  ...change,
})
const apt = ['apt-get', 'install', '--yes', '--allow-downgrades', '/x.deb'] as const

describe('planFor', () => {
  test.each<[string, Partial<Surroundings>, unknown]>([
    ['an administrator', { administrator: true }, { kind: 'run', command: apt }],
    ['somebody at a terminal', { terminal: true }, { kind: 'run', command: ['sudo', ...apt] }],
    ['somebody at a desktop', { desktop: true }, { kind: 'run', command: ['pkexec', ...apt] }],
    [
      'somebody at both, without sudo',
      { terminal: true, desktop: true, has: (program) => program !== 'sudo' },
      { kind: 'run', command: ['pkexec', ...apt] },
    ],
    ['nobody who could be asked', {}, { kind: 'tell', command: ['sudo', ...apt].join(' ') }],
    [
      'a system without apt',
      { administrator: true, has: (program) => program !== 'apt-get' },
      { kind: 'tell', command: undefined },
    ],
  ])('has a package of Debian installed by %s', (_, change, plan) => {
    expect(planFor('deb', '/x.deb', around(change))).toEqual(plan)
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
    ['win32', 'deb', { kind: 'tell', command: undefined }],
    ['darwin', 'exe', { kind: 'tell', command: undefined }],
    ['linux', 'exe', { kind: 'tell', command: undefined }],
    ['linux', undefined, { kind: 'tell', command: undefined }],
  ] as const)('on %s, for %s', (platform, kind, plan) => {
    expect(planFor(kind, '/x', around({ platform, administrator: true }))).toEqual(plan)
  })
})

test.each([
  [0, 4_194_304, '░░░░░░░░░░░░░░░░░░░░░░░░   0 %  0.0 of 4.0 MB'],
  [2_097_152, 4_194_304, '████████████░░░░░░░░░░░░  50 %  2.0 of 4.0 MB'],
  [4_194_303, 4_194_304, '████████████████████████  99 %  4.0 of 4.0 MB'],
  [4_194_304, 4_194_304, '████████████████████████ 100 %  4.0 of 4.0 MB'],
  [2_097_152, undefined, '2.0 MB'],
])('barOf %i of %s bytes', (bytes, all, line) => {
  expect(barOf(bytes, all)).toBe(line)
})
