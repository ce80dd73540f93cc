/** The devices of a demo: each follows from its number, in the shares of a fleet that has just got a new version. */
import type { DeviceContext, Fault, IdentityKey, Platform } from '@cardwire/protocol'
import type { devices } from '../../db/schema.ts'
import { pick, toShare } from './pick.ts'

export type DeviceRow = typeof devices.$inferInsert

const dayMs = 86_400_000

/** The versions with their share of the devices, in percent. */
export const versionShares = [
  ['4.2.0', 62],
  ['4.1.0', 24],
  ['4.0.0', 10],
  ['3.9.1', 3],
  ['4.3.0', 1],
] as const

/** What connectors do that have these versions; with the others they continue. */
const verdicts: Readonly<Record<string, DeviceRow['verdict']>> = {
  '4.1.0': 'recommend',
  '4.0.0': 'recommend',
  '3.9.1': 'stop',
}

const systems: Readonly<Record<Exclude<Platform, 'WIN32'>, DeviceContext>> = {
  WIN64: { os: 'Windows', osVersion: '10.0.26100', architecture: 'x64' },
  UNIX: { os: 'Debian GNU/Linux', osVersion: '12', architecture: 'x64', packageFormat: 'deb' },
  MACOSARM: { os: 'macOS', osVersion: '15.5', architecture: 'arm64' },
  MACOS: { os: 'macOS', osVersion: '14.7', architecture: 'x64' },
}

export const platformShares = [
  ['WIN64', 78],
  ['UNIX', 9],
  ['MACOSARM', 9],
  ['MACOS', 4],
] as const

const sites = ['ams', 'ant', 'ber', 'bru', 'gen', 'lux', 'lyo', 'par', 'rot', 'vie'] as const
const kinds = [
  ['desk', 70],
  ['lap', 22],
  ['till', 8],
] as const

const faults = [
  ['keystore-refused', 'the keystore cannot be opened with its password'],
  ['digest-mismatch', 'cardwire-sandbox has another hash'],
  ['reply-refused', 'no trusted key has signed the reply'],
  ['counters-failed', 'no space left on device'],
] as const

/** No one has its private part. */
const key: IdentityKey = { kty: 'EC', crv: 'P-256', x: 'A'.repeat(43), y: 'A'.repeat(43) }

/** `random`: what a device does not share with others. */
export function createDemoDevice(
  number: number,
  now: number,
  random: { readonly id: string; readonly fingerprint: string },
): DeviceRow {
  const share = (of: number) => toShare(number, of)
  const version = pick(versionShares, share(0))
  const platform = pick(platformShares, share(1))
  const createdAt = now - Math.floor((30 + 370 * share(2)) * dayMs)
  const lastSeenAt = now - Math.floor(toAwayMs(share(3), share(4)))
  const isNew = share(5) < 0.005
  return {
    ...random,
    key,
    version,
    platform,
    device: { hostname: nameHost(number, share), ...systems[platform] },
    user: {},
    blocked: share(6) < 0.003,
    approved: !isNew,
    registrations: share(7) < 0.04 ? 2 : 1,
    registeredAt: createdAt,
    createdAt,
    assertedAt: lastSeenAt,
    lastSeenAt,
    lastSeenDay: Math.floor(lastSeenAt / dayMs),
    revision: 1,
    verdict: verdicts[version] ?? 'none',
    faults: share(8) < 0.02 ? [createFault(share(9), lastSeenAt)] : [],
  }
}

/** Nine of ten were seen within a cycle of eight hours; some are on holiday, some will never come back. */
function toAwayMs(kind: number, length: number): number {
  if (kind < 0.9) return length * 8 * 3_600_000
  if (kind < 0.95) return (1 + 5 * length) * dayMs
  return (8 + 22 * length) * dayMs
}

const nameHost = (number: number, share: (of: number) => number): string => {
  const site = sites[Math.floor(share(10) * sites.length)]
  return `${site}-${pick(kinds, share(11))}-${String(number + 1).padStart(6, '0')}.corp.example`
}

function createFault(share: number, at: number): Fault {
  const [kind, detail] = faults[Math.floor(share * faults.length)] ?? faults[0]
  return { kind, detail, at: new Date(at).toISOString() }
}
