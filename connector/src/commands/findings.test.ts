/** What the doctor says: every line with the thing in order, and with it broken. */
import { describe, expect, test } from 'vitest'
import type { CertStatus } from '../certs/certificates.ts'
import {
  certificateFindings,
  clipboardFinding,
  pcscFinding,
  readersFinding,
  trustFindings,
} from './findings.ts'

describe('card service', () => {
  test('that answers is good', () => {
    expect(pcscFinding({ kind: 'up' }, 'linux')).toEqual({
      level: 'good',
      what: 'the card service answers',
    })
  })

  test.each([
    ['SCARD_E_NO_SERVICE', 'linux', 'systemctl start pcscd.socket'],
    ['LIBRARY_MISSING', 'linux', 'apt-get install pcscd'],
    ['SCARD_W_SECURITY_VIOLATION', 'linux', 'polkit'],
    ['SCARD_E_NO_SERVICE', 'win32', 'sc start SCardSvr'],
    ['SCARD_E_NO_SERVICE', 'darwin', 'connect a reader'],
  ])('that fails with %s on %s says what to do', (code, platform, todo) => {
    const finding = pcscFinding({ kind: 'down', code, reason: 'It does not answer' }, platform)
    expect(finding).toMatchObject({
      level: 'bad',
      what: expect.stringContaining('It does not answer'),
    })
    expect(finding.todo).toContain(todo)
  })
})

test('readers are named, with a card or not, and their absence is a note', () => {
  const reader = { id: '0', name: 'A', pinpad: false }
  expect(
    readersFinding([
      { ...reader, card: { atr: '3B' } },
      { ...reader, name: 'B' },
    ]).what,
  ).toBe('readers: A (with a card), B')
  expect(readersFinding([])).toMatchObject({
    level: 'note',
    todo: expect.stringContaining('connect one'),
  })
})

const good: CertStatus = {
  folder: '/certificates',
  files: [],
  root: { state: 'good' },
  leaf: { state: 'good' },
  hosts: { wanted: [], needsRoot: [] },
  protection: [],
  trust: [{ store: 'nss', scope: 'user', trusted: true }],
  packages: [],
}

test('certificates in order are good', () => {
  expect([...certificateFindings(good), ...trustFindings(good)].map(({ level }) => level)).toEqual([
    'good',
    'good',
    'good',
  ])
})

test.each([
  ['absent root', { root: { state: 'absent', reason: 'no file' } }, 'cardwire run'],
  [
    'expired root',
    { root: { state: 'expired', reason: 'it ended' } },
    'cardwire certs renew --root',
  ],
  ['stale leaf', { leaf: { state: 'stale', reason: 'it ends' } }, 'cardwire certs renew'],
  [
    'key that others can read',
    { protection: [{ path: '/k', access: '0644', private: false }] },
    'repairs',
  ],
] as const)('%s is bad, and says what to do', (_, change, todo) => {
  const bad = certificateFindings({ ...good, ...change } as CertStatus).filter(
    ({ level }) => level === 'bad',
  )
  expect(bad).toHaveLength(1)
  expect(bad[0]?.todo).toContain(todo)
})

test('root that no store believes is bad; one that some believe is not', () => {
  const trust = [
    { store: 'nss', scope: 'user', trusted: false, reason: 'not there' },
    { store: 'firefox', scope: 'user', trusted: true },
  ] as const
  expect(trustFindings({ ...good, trust }).map(({ level }) => level)).toEqual(['note', 'good'])
  const nobody = trustFindings({ ...good, trust: trust.slice(0, 1) })
  expect(nobody.at(-1)).toMatchObject({
    level: 'bad',
    todo: expect.stringContaining('cardwire certs install'),
  })
})

test.each([
  ['linux', { DISPLAY: ':0' }, ['xsel'], 'good', undefined],
  ['linux', { WAYLAND_DISPLAY: 'wayland-0' }, ['wl-paste'], 'good', undefined],
  ['linux', { DISPLAY: ':0' }, [], 'bad', 'install xclip'],
  ['linux', { WAYLAND_DISPLAY: 'wayland-0' }, [], 'bad', 'install wl-clipboard'],
  ['linux', {}, ['xclip'], 'note', 'session'],
  ['darwin', {}, [], 'good', undefined],
] as const)(
  'clipboard on %s with %j and %j is %s',
  (platform, environment, programs, level, todo) => {
    const finding = clipboardFinding(platform, environment, (program) =>
      (programs as readonly string[]).includes(program),
    )
    expect(finding.level).toBe(level)
    if (todo !== undefined) expect(finding.todo).toContain(todo)
  },
)
