/** What a demo fleet has done in the last 90 days: devices seen, uses, downloads, and registrations that were rejected. */

import type { ProblemName } from '@cardwire/protocol'
import type { counters, downloads, fleetDays, refusals } from '../../db/schema.ts'
import { nameLimitSetting } from '../../rules/new-device-limits.ts'
import { platformShares } from './fleet.ts'
import { pick, toShare } from './pick.ts'

const days = 90
const dayMs = 86_400_000
const rejected = 300

const isoDay = (at: number) => new Date(at).toISOString().slice(0, 10)

/** On Saturdays and Sundays few work. */
const getActivity = (at: number) => ([0, 6].includes(new Date(at).getUTCDay()) ? 0.3 : 0.9)

const listAges = (now: number) =>
  Array.from({ length: days }, (_, index) => ({
    age: days - index,
    at: now - (days - index) * dayMs,
  }))

export const createFleetDays = (size: number, now: number): (typeof fleetDays.$inferInsert)[] =>
  listAges(now).flatMap(({ age, at }) =>
    shareVersions(1 - age / days).flatMap(([version, share]) =>
      platformShares.map(([platform, percent]) => ({
        day: Math.floor(at / dayMs),
        version,
        platform,
        count: Math.round(size * getActivity(at) * share * (percent / 100)),
      })),
    ),
  )

/** The shares of the versions after a part of the days: the older ones give way, and 4.2.0 takes what they leave. */
function shareVersions(passed: number): readonly (readonly [string, number])[] {
  const shares = [
    ['3.9.1', 0.12 - 0.09 * passed],
    ['4.0.0', 0.4 - 0.3 * passed],
    ['4.1.0', 0.48 - 0.24 * passed],
  ] as const
  const left = 1 - shares.reduce((sum, [, share]) => sum + share, 0)
  return [...shares, ['4.2.0', left]]
}

const uses = [
  ['beid', 'identity-read', 0.3],
  ['beid', 'authentication', 0.22],
  ['beid', 'signature', 0.08],
  ['piv', 'authentication', 0.12],
  ['openpgp', 'signature', 0.01],
] as const

export const createCounters = (
  labels: readonly string[],
  size: number,
  now: number,
): (typeof counters.$inferInsert)[] =>
  listAges(now).flatMap(({ age, at }) =>
    labels.flatMap((label, number) =>
      uses.map(([module, useCase, perDevice]) => ({
        day: isoDay(at),
        label,
        module,
        useCase,
        tag: '',
        count: Math.ceil(
          ((size * perDevice * getActivity(at)) / (number + 1)) *
            (0.85 + 0.3 * toShare(age, number)),
        ),
      })),
    ),
  )

/** Most devices got 4.2.0 within a week, 30 days ago. */
export const createDownloads = (size: number, now: number): (typeof downloads.$inferInsert)[] =>
  listAges(now).flatMap(({ age, at }) =>
    platformShares.map(([os, percent]) => ({
      versionId: age > 30 ? '4.1.0' : '4.2.0',
      os,
      day: isoDay(at),
      count: Math.ceil(size * (percent / 100) * (age <= 30 && age > 23 ? 0.08 : 0.001)),
    })),
  )

/** `version`: that of a connector that names another one than its key. */
interface Reason {
  readonly reason: ProblemName
  readonly version?: string
  readonly detail: string
}

const reasons: readonly (readonly [Reason, number])[] = [
  [
    {
      reason: 'api-key-refused',
      detail:
        'Cannot accept the API key: send the installation key of a version in the header "apikey"',
    },
    60,
  ],
  [
    {
      reason: 'version-unknown',
      version: '3.8.0',
      detail: 'Cannot serve version "3.8.0": it is not registered',
    },
    20,
  ],
  [
    {
      reason: 'too-many-requests',
      detail: `${nameLimitSetting('Cannot register more new devices today', 'DS_DEVICES_PER_ADDRESS')}: try again in 3600 s`,
    },
    15,
  ],
  [
    {
      reason: 'clock-skewed',
      detail: 'Cannot accept the assertion: the clocks are too far apart',
    },
    5,
  ],
]

/** Of four networks, in the last two weeks. */
export const createRefusals = (
  now: number,
  random: () => { readonly id: string; readonly fingerprint: string },
): (typeof refusals.$inferInsert)[] =>
  Array.from({ length: rejected }, (_, number) => {
    const { id, fingerprint } = random()
    const why = pick(reasons, toShare(number, 0))
    const lastAt = now - Math.floor(toShare(number, 1) * 14 * dayMs)
    const count = 1 + Math.floor(toShare(number, 2) * 40)
    const isKeyValid = why.reason !== 'api-key-refused'
    return {
      ...why,
      address: `203.0.113.${10 + Math.floor(toShare(number, 3) * 4)}`,
      fingerprint,
      count,
      firstAt: lastAt - count * 3_600_000,
      lastAt,
      requestId: id,
      keyVersion: isKeyValid ? '4.2.0' : null,
      version: why.version ?? (isKeyValid ? '4.2.0' : null),
      platform: isKeyValid ? 'WIN64' : null,
      hostname: isKeyValid ? `new-desk-${String(number).padStart(4, '0')}.corp.example` : null,
    }
  })
