/** What the doctor says: every line with the thing in order, and with it broken. */
import { describe, expect, test } from 'vitest'
import type { CertStatus } from '../../certs/certificates.ts'
import type { Kept, Policy } from '../../sync/state.ts'
import { accessFindings } from './access.ts'
import { pcscFinding, readersFinding } from './cards.ts'
import { certificateFindings, keystoreFindings, trustFindings } from './certificates.ts'
import { clipboardFinding } from './clipboard.ts'
import { serviceFindings } from './distribution.ts'
import { type Finding, remediesOnce, summaryOf } from './finding.ts'
import { apiFinding, registryFinding } from './ports.ts'

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
    readersFinding(
      [
        { ...reader, card: { atr: '3B' } },
        { ...reader, name: 'B' },
      ],
      'linux',
    ).what,
  ).toBe('readers: A (with a card), B')
  expect(readersFinding([], 'linux')).toMatchObject({
    level: 'note',
    todo: expect.stringContaining('connect one'),
  })
})

test('reader that macOS does not see is told with the other driver', () => {
  expect(readersFinding([], 'darwin').todo).toContain('useIFDCCID -bool yes')
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

test('stores that nobody can ask are told with what is missing, before the trust', () => {
  const reason = 'certutil is missing: install libnss3-tools (Debian)'
  const trust = [{ store: 'nss', scope: 'user', trusted: false, reason }] as const
  const todo = 'install libnss3-tools (Debian), then: cardwire certs install'
  expect(trustFindings({ ...good, trust })).toEqual([
    { level: 'note', what: 'nss cannot be asked: certutil is missing', todo },
    { level: 'bad', what: 'no browser of this user will believe the connector', todo },
  ])
})

test('remedy that several findings share stands once, below the last of them', () => {
  const finding = (what: string, todo?: string): Finding => ({
    level: 'note',
    what,
    ...(todo === undefined ? {} : { todo }),
  })
  const said = [finding('a', 'x'), finding('b', 'x'), finding('c'), finding('d', 'x')]
  expect(remediesOnce(said)).toEqual([
    finding('a'),
    finding('b', 'x'),
    finding('c'),
    finding('d', 'x'),
  ])
})

test.each([
  [['good'], 'nothing wrong'],
  [['note', 'good', 'note'], '2 notes, nothing wrong'],
  [['bad', 'note'], '1 wrong, 1 note'],
  [['bad', 'bad'], '2 wrong'],
] as const)('%j in sum: %s', (levels, sum) => {
  expect(summaryOf(levels.map((level) => ({ level, what: '' })))).toBe(sum)
})

describe('clipboard', () => {
  const unavailable = 'Cannot read the clipboard: this session needs xclip; install it'

  test('that can be read is good', () => {
    expect(clipboardFinding(undefined, true).level).toBe('good')
  })

  test.each([
    [true, 'bad'],
    [false, 'note'],
  ] as const)('that cannot, in a session: %s, is told with what to do', (inSession, level) => {
    expect(clipboardFinding(unavailable, inSession)).toEqual({
      level,
      what: 'the clipboard cannot be read: this session needs xclip',
      todo: 'install it',
    })
  })
})

describe('API', () => {
  const range = { first: 25_100, last: 25_199 }
  const silence = 'The connector is not running'

  test('that answers is good', () => {
    expect(apiFinding(range, { port: 25_101 })).toEqual({
      level: 'good',
      what: 'the API answers on port 25101',
    })
  })

  test.each([
    [{ isRunning: false, free: 25_100 }, 'note', 'cardwire run'],
    [{ isRunning: false, free: undefined }, 'bad', 'CARDWIRE_API_PORTS'],
    [{ isRunning: true, free: 25_100 }, 'bad', 'start it again'],
  ] as const)('that does not answer, %j, is %s', (sight, level, todo) => {
    const finding = apiFinding(range, { silence, ...sight })
    expect(finding).toMatchObject({ level, todo: expect.stringContaining(todo) })
  })
})

describe('access', () => {
  const open = { cors: ['https://a.example'], dsUrl: undefined, jwks: 'keys', jwtRequired: true }

  test('that somebody can have needs no word', () => {
    expect(accessFindings(open)).toEqual([])
    const managed = { cors: [], dsUrl: 'https://ds.example', jwks: undefined, jwtRequired: true }
    expect(accessFindings(managed)).toEqual([])
  })

  test.each([
    [{ cors: [] }, 'CARDWIRE_CORS'],
    [{ jwks: undefined }, 'CARDWIRE_JWKS'],
    [{ jwtRequired: false }, 'CARDWIRE_JWT'],
  ])('with %j is told by the setting', (change, setting) => {
    const [finding, ...others] = accessFindings({ ...open, ...change })
    expect(others).toEqual([])
    expect(`${finding?.what} ${finding?.todo}`).toContain(setting)
  })
})

describe('registry', () => {
  test.each([
    ['service', 'the service of this machine'],
    ['user', 'this user’s own'],
  ] as const)('that answers is good: %s', (whose, text) => {
    const { level, what } = registryFinding({ kind: 'known', whose }, 51_983, undefined)
    expect([level, what]).toEqual(['good', expect.stringContaining(text)])
  })

  test('port where nobody listens is free', () => {
    expect(registryFinding({ kind: 'absent' }, 51_983, undefined)).toEqual({
      level: 'good',
      what: 'port 51983 is free for the registry',
    })
  })

  test('of somebody else is bad, with what to do', () => {
    const explained = { what: 'somebody has it', todo: 'an administrator helps' }
    expect(registryFinding({ kind: 'foreign' }, 51_983, explained)).toEqual({
      level: 'bad',
      ...explained,
    })
  })
})

describe('distribution service', () => {
  const dsUrl = 'https://ds.example'
  const kept = { device: 'd', lastGood: Date.UTC(2026, 10, 21) } as unknown as Kept
  const policyOf = (action: string, offer?: object) =>
    ({ verdict: { action, version: '4.0.0', ...(offer && { offer }) } }) as unknown as Policy
  const offer = { version: '4.1.0', url: 'https://downloads.example/a.deb' }

  test('that answers and knows this connector is good', () => {
    const findings = serviceFindings(dsUrl, undefined, { kept, policy: policyOf('none') })
    expect(findings.map(({ level }) => level)).toEqual(['good', 'good', 'good'])
    expect(findings[2]?.what).toContain('2026-11-21T00:00:00.000Z')
  })

  test.each([
    ['recommend', 'note'],
    ['require', 'bad'],
    ['stop', 'bad'],
  ])('that said %s is told with where to find the other version', (action, level) => {
    const findings = serviceFindings(dsUrl, undefined, { kept, policy: policyOf(action, offer) })
    expect(findings[3]).toMatchObject({ level, todo: expect.stringContaining(offer.url) })
  })

  test('that cannot be reached, or does not know this connector, is bad, with what to do', () => {
    const [reached, registered] = serviceFindings(dsUrl, 'no connection', undefined)
    expect(reached).toMatchObject({
      level: 'bad',
      what: expect.stringContaining('no connection'),
      todo: expect.stringContaining('CARDWIRE_CA_FILE'),
    })
    expect(registered).toMatchObject({
      level: 'bad',
      todo: expect.stringContaining('CARDWIRE_INSTALLATION_KEY'),
    })
  })

  test('that never heard of this connector since it registered is to be asked', () => {
    const { lastGood: _, ...registered } = kept
    const findings = serviceFindings(dsUrl, undefined, { kept: registered as Kept })
    expect(findings[2]).toMatchObject({
      level: 'note',
      todo: expect.stringContaining('cardwire sync'),
    })
  })
})

describe('the keystore of a service', () => {
  const names = ['connector.example.com']
  const good = { names, notAfter: Date.UTC(2027, 4, 5) }
  const now = Date.UTC(2026, 10, 21)

  test.each([
    ['that is good', good, true, 'good', 'good until 2027-05-05: connector.example.com'],
    ['that has expired', { names, notAfter: now - 1 }, true, 'bad', 'has expired'],
    ['that is missing where it stands alone', undefined, false, 'bad', 'CARDWIRE_LOCAL_CA is off'],
  ] as const)('%s', (_, kept, localCa, level, what) => {
    expect(keystoreFindings(kept, localCa, now)).toEqual([
      expect.objectContaining({ level, what: expect.stringContaining(what) }),
    ])
  })

  test('that nobody needs is no finding', () => {
    expect(keystoreFindings(undefined, true, now)).toEqual([])
  })
})
