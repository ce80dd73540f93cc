/** What the doctor says: every line with the thing in order, and with it broken. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { proves } from '../../../../test/bed/proves.ts'
import type { CertStatus } from '../../certificates/certificates.ts'
import type { Policy } from '../../distribution/client/verify-reply.ts'
import type { PersistedState } from '../../distribution/sync/persisted-state.ts'
import { findAccessProblems } from './access.ts'
import { toPcscFinding, toReadersFinding } from './cards.ts'
import { toCertificateFindings, toKeystoreFindings, toTrustFindings } from './certificates.ts'
import { toClipboardFinding } from './clipboard.ts'
import { checkDataFolder, toClockFindings } from './data-folder.ts'
import { toServiceFindings } from './distribution.ts'
import { type Finding, formatSummary, removeRepeatedRemedies } from './finding.ts'
import { toApiFinding, toRegistryFinding } from './ports.ts'

describe('card service', () => {
  test('that answers is good', () => {
    expect(toPcscFinding({ kind: 'up' }, 'linux')).toEqual({
      level: 'good',
      code: 'card-service-good',
      what: 'the smart card service is responding',
    })
  })

  test.each([
    ['SCARD_E_NO_SERVICE', 'linux', 'systemctl start pcscd.socket'],
    ['LIBRARY_MISSING', 'linux', 'apt-get install pcscd'],
    ['SCARD_W_SECURITY_VIOLATION', 'linux', 'polkit'],
    ['SCARD_E_NO_SERVICE', 'win32', 'sc start SCardSvr'],
    ['SCARD_E_NO_SERVICE', 'darwin', 'connect a reader'],
  ])('that fails with %s on %s says what to do', (code, platform, remedy) => {
    const finding = toPcscFinding({ kind: 'down', code, reason: 'It is not responding' }, platform)
    expect(finding).toMatchObject({
      level: 'bad',
      what: expect.stringContaining('It is not responding'),
    })
    expect(finding.remedy).toContain(remedy)
  })
})

test('readers are named, with a card or not, and their absence is a note', () => {
  const reader = { id: '0', name: 'A', pinpad: false }
  expect(
    toReadersFinding(
      [
        { ...reader, card: { atr: '3B' } },
        { ...reader, name: 'B' },
      ],
      'linux',
    ).what,
  ).toBe('readers: A (with a card), B')
  expect(toReadersFinding([], 'linux')).toMatchObject({
    level: 'note',
    remedy: expect.stringContaining('connect one'),
  })
})

test('finding for a reader that macOS does not see names the other driver', () => {
  proves('macos-first-start')
  expect(toReadersFinding([], 'darwin').remedy).toContain('useIFDCCID -bool yes')
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
  expect(
    [...toCertificateFindings(good), ...toTrustFindings(good)].map(({ level }) => level),
  ).toEqual(['good', 'good', 'good'])
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
    'restrict access',
  ],
] as const)('%s is bad, and says what to do', (_, change, remedy) => {
  const bad = toCertificateFindings({ ...good, ...change } as CertStatus).filter(
    ({ level }) => level === 'bad',
  )
  expect(bad).toHaveLength(1)
  expect(bad[0]?.remedy).toContain(remedy)
})

test('root that no store trusts is an error; one that some stores trust is not', () => {
  const trust = [
    { store: 'nss', scope: 'user', trusted: false, reason: 'not there' },
    { store: 'firefox', scope: 'user', trusted: true },
  ] as const
  expect(toTrustFindings({ ...good, trust }).map(({ level }) => level)).toEqual(['note', 'good'])
  const nobody = toTrustFindings({ ...good, trust: trust.slice(0, 1) })
  expect(nobody.at(-1)).toMatchObject({
    level: 'bad',
    remedy: expect.stringContaining('cardwire certs install'),
  })
})

test('stores that cannot be queried are reported with what is missing, before the trust', () => {
  const obstacle = { reason: 'certutil is missing', remedy: 'install libnss3-tools (Debian)' }
  const trust = [{ store: 'nss', scope: 'user', trusted: false, ...obstacle }] as const
  const remedy = 'install libnss3-tools (Debian), then: cardwire certs install'
  expect(toTrustFindings({ ...good, trust })).toEqual([
    {
      level: 'note',
      code: 'trust-unreadable',
      what: 'nss cannot be read: certutil is missing',
      remedy,
    },
    {
      level: 'bad',
      code: 'trust-none',
      what: 'none of this user’s browsers trust the connector',
      remedy,
    },
  ])
})

test('remedy that several findings share stands once, below the last of them', () => {
  const finding = (what: string, remedy?: string): Finding => ({
    level: 'note',
    code: 'trust-missing',
    what,
    ...(remedy === undefined ? {} : { remedy }),
  })
  const findings = [finding('a', 'x'), finding('b', 'x'), finding('c'), finding('d', 'x')]
  expect(removeRepeatedRemedies(findings)).toEqual([
    finding('a'),
    finding('b', 'x'),
    finding('c'),
    finding('d', 'x'),
  ])
})

test.each([
  [['good'], 'no problems'],
  [['note', 'good', 'note'], '2 notes, no problems'],
  [['bad', 'note'], '1 problem, 1 note'],
  [['bad', 'bad'], '2 problems'],
] as const)('%j in sum: %s', (levels, sum) => {
  expect(formatSummary(levels.map((level) => ({ level, code: 'check-failed', what: '' })))).toBe(
    sum,
  )
})

describe('clipboard', () => {
  const unavailable = 'Cannot read the clipboard: this session needs xclip; install it'

  test('that can be read is good', () => {
    expect(toClipboardFinding(undefined, true).level).toBe('good')
  })

  test.each([
    [true, 'bad'],
    [false, 'note'],
  ] as const)('that cannot, in a session: %s, is told with what to do', (inSession, level) => {
    expect(toClipboardFinding(unavailable, inSession)).toEqual({
      level,
      code: 'clipboard-unreadable',
      what: 'the clipboard cannot be read: this session needs xclip',
      remedy: 'install it',
    })
  })
})

describe('API', () => {
  const range = { first: 25_100, last: 25_199 }
  const silence = 'The connector is not running'

  test('that answers is good', () => {
    expect(toApiFinding(range, { port: 25_101 })).toEqual({
      level: 'good',
      code: 'api-good',
      what: 'the API is responding on port 25101',
    })
  })

  test.each([
    [{ isRunning: false, free: 25_100 }, 'note', 'cardwire run'],
    [{ isRunning: false, free: undefined }, 'note', 'CARDWIRE_API_PORTS'],
    [{ isRunning: true, free: 25_100 }, 'bad', 'start it again'],
    [{ isRunning: false, isMasked: true, free: 25_100 }, 'bad', 'unmask cardwire.service'],
  ] as const)('that does not answer, %j, is %s', (sight, level, remedy) => {
    const finding = toApiFinding(range, { silence, ...sight })
    expect(finding).toMatchObject({ level, remedy: expect.stringContaining(remedy) })
  })
})

test('range of ports that is taken is explained with its holder', () => {
  const sight = { silence: 'It is not running', isRunning: false, free: undefined }
  const finding = toApiFinding(
    { first: 25_100, last: 25_199 },
    { ...sight, holder: 'python3, process 7, user mallory' },
  )
  expect(finding.what).toContain(
    'no port from 25100 to 25199 is free (25100: python3, process 7, user mallory)',
  )
})

describe('access', () => {
  const open = { cors: ['https://a.example'], dsUrl: undefined, jwks: 'keys', jwtRequired: true }

  test('that can be used adds no text', () => {
    expect(findAccessProblems(open)).toEqual([])
    const managed = { cors: [], dsUrl: 'https://ds.example', jwks: undefined, jwtRequired: true }
    expect(findAccessProblems(managed)).toEqual([])
  })

  test.each([
    [{ cors: [] }, 'CARDWIRE_CORS'],
    [{ jwks: undefined }, 'CARDWIRE_JWKS'],
    [{ jwtRequired: false }, 'CARDWIRE_JWT'],
  ])('with %j names the setting', (change, setting) => {
    const [finding, ...others] = findAccessProblems({ ...open, ...change })
    expect(others).toEqual([])
    expect(`${finding?.what} ${finding?.remedy}`).toContain(setting)
  })
})

describe('registry', () => {
  test.each([
    ['service', 'the service of this computer'],
    ['user', 'started by this user'],
  ] as const)('that answers is good: %s', (scope, text) => {
    const { level, what } = toRegistryFinding({ kind: 'known', scope }, 51_983, undefined)
    expect([level, what]).toEqual(['good', expect.stringContaining(text)])
  })

  test('port on which no program listens is free', () => {
    expect(toRegistryFinding({ kind: 'absent' }, 51_983, undefined)).toEqual({
      level: 'good',
      code: 'registry-port-free',
      what: 'port 51983 is free for the registry',
    })
  })

  test('of somebody else is bad, with what to do', () => {
    const explained = { what: 'another program has it', todo: 'an administrator helps' }
    expect(toRegistryFinding({ kind: 'foreign' }, 51_983, explained)).toEqual({
      level: 'bad',
      code: 'registry-foreign',
      what: 'another program has it',
      remedy: 'an administrator helps',
    })
  })
})

describe('distribution service', () => {
  const dsUrl = 'https://ds.example'
  const kept = {
    device: 'd',
    offsetMs: 0,
    lastGood: Date.UTC(2026, 10, 21),
  } as unknown as PersistedState
  const policyOf = (action: string, offer?: object) =>
    ({ verdict: { action, version: '4.0.0', ...(offer && { offer }) } }) as unknown as Policy
  const offer = { version: '4.1.0', url: 'https://downloads.example/a.deb' }

  test('that answers and knows this connector is good', () => {
    const findings = toServiceFindings(dsUrl, {}, { state: kept, policy: policyOf('none') })
    expect(findings.map(({ level }) => level)).toEqual(['good', 'good', 'good'])
    expect(findings[2]?.what).toContain('2026-11-21T00:00:00.000Z')
  })

  test.each([
    ['recommend', 'note'],
    ['require', 'bad'],
    ['stop', 'bad'],
  ])('that said %s is told with where to find the other version', (action, level) => {
    const findings = toServiceFindings(
      dsUrl,
      {},
      {
        state: kept,
        policy: policyOf(action, offer),
      },
    )
    expect(findings[3]).toMatchObject({ level, remedy: expect.stringContaining(offer.url) })
  })

  test.each([
    [5, []],
    [16, ['note', 'ends on 2026-12-21 at 00:00 UTC']],
    [30, ['bad', 'ended on 2026-12-21 at 00:00 UTC']],
  ])('that sets an end is told %d days after the synchronization: %j', (days, expected) => {
    const from = Date.UTC(2026, 10, 21)
    const now = from + days * 86_400_000
    const stored = { state: kept, term: { from, until: from + 30 * 86_400_000 } }
    const [, , , ...findings] = toServiceFindings(dsUrl, {}, stored, { now, trustedAt: now })
    const [level, what] = expected
    expect(findings).toEqual(
      level === undefined
        ? []
        : [
            {
              level,
              code: expect.any(String),
              what: expect.stringContaining(what ?? ''),
              remedy: expect.any(String),
            },
          ],
    )
  })

  test('that cannot be reached, or does not know this connector, is bad, with what to do', () => {
    const [reached, registered] = toServiceFindings(
      dsUrl,
      { unreachableReason: 'no connection', key: 'missing' },
      undefined,
    )
    expect(reached).toMatchObject({
      level: 'bad',
      what: expect.stringContaining('no connection'),
      remedy: expect.stringContaining('CARDWIRE_CA_FILE'),
    })
    expect(registered).toMatchObject({
      level: 'bad',
      remedy: expect.stringContaining('CARDWIRE_INSTALLATION_KEY'),
    })
  })

  test('without a synchronization since the registration is to be contacted', () => {
    const { lastGood: _, ...registered } = kept
    const findings = toServiceFindings(dsUrl, {}, { state: registered as PersistedState })
    expect(findings[2]).toMatchObject({
      level: 'note',
      remedy: expect.stringContaining('cardwire sync'),
    })
  })
})

describe('the keystore of a service', () => {
  const names = ['connector.example.com']
  const good = { names, notAfter: Date.UTC(2027, 4, 5) }
  const now = Date.UTC(2026, 10, 21)

  test.each([
    ['that is good', good, true, 'good', 'valid until 2027-05-05: connector.example.com'],
    ['that has expired', { names, notAfter: now - 1 }, true, 'bad', 'has expired'],
    ['that is missing where it stands alone', undefined, false, 'bad', 'CARDWIRE_LOCAL_CA is off'],
  ] as const)('%s', (_, kept, localCa, level, what) => {
    expect(toKeystoreFindings(kept, localCa, now)).toEqual([
      expect.objectContaining({ level, what: expect.stringContaining(what) }),
    ])
  })

  test('that is not needed is no finding', () => {
    expect(toKeystoreFindings(undefined, true, now)).toEqual([])
  })
})

describe('the data folder', () => {
  test('without a jump of the clock adds no text', () => {
    expect(toClockFindings({ now: 5, trustedAt: 5 })).toEqual([])
  })

  test('says that a jump of the clock is waited out, how long, and what to do', () => {
    proves('connector-clock-jump')
    const [finding, ...others] = toClockFindings({
      trustedAt: Date.UTC(2026, 10, 21, 9),
      now: Date.UTC(2039, 10, 21, 9),
      waitMs: 18.5 * 3_600_000,
    })
    expect(others).toEqual([])
    expect(finding).toMatchObject({
      level: 'note',
      what: expect.stringContaining('jumped from 2026-11-21T09:00Z to 2039-11-21T09:00Z'),
      remedy: expect.stringMatching(/cardwire sync.*19 more hours/),
    })
  })

  test('names a file that was damaged, what was lost with it, and where it is', async () => {
    proves('data-file-damaged')
    const runtime = mkdtempSync(join(tmpdir(), 'cardwire-doctor-'))
    const path = join(runtime, 'identity-key.pem.damaged-20261121T090000Z-0a1b2c')
    writeFileSync(path, '')
    expect(
      await checkDataFolder({ folders: { runtime, certificates: `${runtime}-none` } }),
    ).toEqual([
      {
        level: 'note',
        code: 'file-damaged',
        what: 'identity-key.pem was damaged and was replaced on 2026-11-21: this connector registers as a new device',
        remedy: expect.stringContaining(path),
      },
    ])
    rmSync(path)
    expect(
      await checkDataFolder({ folders: { runtime, certificates: `${runtime}-none` } }),
    ).toEqual([])
    rmSync(runtime, { recursive: true })
  })
})
