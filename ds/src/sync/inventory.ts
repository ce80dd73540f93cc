/** Counts devices and keys for the metrics, without holding up the requests of others. */
import { type DeviceStanding, SigningKeyUse } from '@cardwire/protocol'
import { and, eq, gt, gte, isNull, or, sql } from 'drizzle-orm'
import { describeError } from '../db/describe-error.ts'
import { total } from '../db/device-counts.ts'
import { isServed } from '../db/device-filter.ts'
import { isEvidence } from '../db/evidence.ts'
import { isKeystore, selectExpiry } from '../db/keystore-expiry.ts'
import { readOpenRollouts, toPlan } from '../db/rollouts.ts'
import { apiKeys, configurations, deviceCounts, deviceFaultCounts } from '../db/schema.ts'
import type {
  DeviceCount,
  FaultCount,
  Inventory,
  KeyAge,
  KeystoreExpiry,
  RolloutProgress,
} from '../ports.ts'
import { getSilentDays } from '../rules/device-status.ts'
import { isOffering } from '../rules/rollout.ts'
import type { Services } from '../services.ts'
import { toDay } from './record-sync.ts'
import { readLastHour } from './rollout-hours.ts'

/** The values of the label `version`, and of `id` for each kind of key. Each one is a time series. */
const maxLabelValues = 50

/** The values of the label `kind` of faults: devices choose them, and a connector has about a dozen. */
const maxFaultKinds = 20

/** Stands for what has no label value; no semantic version and no kind of fault. */
const other = 'other'

/** Counting takes at most this share of the time, however often the metrics are read. */
const maxShare = 0.01

/** Milliseconds that a first reading waits for the count; very many devices take longer. */
const firstWaitMs = 3000

type InventoryServices = Pick<
  Services,
  'db' | 'reader' | 'clock' | 'uptime' | 'settings' | 'keyring' | 'log'
>

/**
 * Returns a function that resolves with the last count, and counts anew when that is old; undefined: it is still counted for
 * the first time, or cannot be. Never fails.
 */
export function createInventoryReader(
  services: InventoryServices,
): () => Promise<Inventory | undefined> {
  const { uptime, log } = services
  let last: Inventory | undefined
  let freshUntil = Number.NEGATIVE_INFINITY
  let pending: Promise<void> | undefined

  async function read(): Promise<void> {
    const started = uptime()
    try {
      last = await takeInventory(services)
    } catch (error) {
      log.error('devices and keys not counted', { error: describeError(error) })
    }
    const ended = uptime()
    freshUntil = ended + (ended - started) / maxShare
  }

  return async () => {
    if (uptime() < freshUntil) return last
    pending ??= read().finally(() => {
      pending = undefined
    })
    if (last === undefined) await waitAtMost(pending, firstWaitMs)
    return last
  }
}

async function waitAtMost(work: Promise<void>, ms: number): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms)
  })
  await Promise.race([work, timeout])
  clearTimeout(timer)
}

async function takeInventory(services: InventoryServices): Promise<Inventory> {
  const countedAt = services.clock()
  const label = await readApiKeys(services, 'application')
  const installation = await readApiKeys(services, 'registration')
  const signing = await readSigningKeys(services)
  const devices = await countDevices(services, countedAt)
  const keptVersions = findVersions(devices)
  const faults = await countFaults(services, countedAt)
  const keptKinds = findMost(faults, ({ kind }) => kind, maxFaultKinds)
  return {
    countedAt,
    devices: addCounts(devices, ({ version, standing }) => ({
      version: keptVersions.has(version) ? version : other,
      standing,
    })),
    faults: addCounts(faults, ({ version, kind }) => ({
      version: keptVersions.has(version) ? version : other,
      kind: keptKinds.has(kind) ? kind : other,
    })),
    keys: { label, installation, signing },
    keystores: await readKeystores(services),
    rollouts: await readRollouts(services),
  }
}

type CountedDevices = DeviceCount & { readonly isEvidence: boolean }

async function countDevices(
  { reader, settings }: InventoryServices,
  now: number,
): Promise<readonly CountedDevices[]> {
  const silentBefore = toDay(now) - getSilentDays(settings.cycleS)
  const { version, blocked, approved, lastSeenDay } = deviceCounts
  const standing = sql<DeviceStanding>`case
    when ${blocked} then 'blocked'
    when not (${isServed(settings, version)}) then 'unserved'
    when not ${approved} then 'waiting'
    when ${lastSeenDay} < ${silentBefore} then 'silent'
    else 'active' end`.as('standing')
  const evidence = isEvidence(deviceCounts)
  return reader
    .select({ version, standing, isEvidence: evidence.mapWith(Boolean), count: total })
    .from(deviceCounts)
    .groupBy(version, sql`standing`, evidence)
}

/** Those of devices that are not silent and count as evidence. */
async function countFaults(
  { reader, settings }: InventoryServices,
  now: number,
): Promise<readonly FaultCount[]> {
  const silentBefore = toDay(now) - getSilentDays(settings.cycleS)
  const { version, kind, lastSeenDay } = deviceFaultCounts
  const count = sql<number>`sum(${deviceFaultCounts.count})`.mapWith(Number)
  return reader
    .select({ version, kind, count })
    .from(deviceFaultCounts)
    .where(and(isEvidence(deviceFaultCounts), gte(lastSeenDay, silentBefore)))
    .groupBy(version, kind)
}

/** The versions of the most devices. Devices that are no evidence name versions only in places that others leave. */
function findVersions(devices: readonly CountedDevices[]): ReadonlySet<string> {
  const toVersion = ({ version }: CountedDevices) => version
  const evidence = devices.filter(({ isEvidence }) => isEvidence)
  const known = findMost(evidence, toVersion, maxLabelValues)
  const others = devices.filter(({ version }) => !known.has(version))
  return new Set([...known, ...findMost(others, toVersion, maxLabelValues - known.size)])
}

/** The values with the highest sums. */
function findMost<T extends { readonly count: number }>(
  counts: readonly T[],
  toValue: (each: T) => string,
  limit: number,
): ReadonlySet<string> {
  const totals = new Map<string, number>()
  for (const each of counts) {
    totals.set(toValue(each), (totals.get(toValue(each)) ?? 0) + each.count)
  }
  // Of equal counts the same ones each time: else their series would come and go.
  const sorted = [...totals].sort(
    ([id, one], [otherId, another]) => another - one || (id < otherId ? -1 : 1),
  )
  return new Set(sorted.slice(0, limit).map(([value]) => value))
}

/** Adds up the counts of those that have the same labels. */
function addCounts<T extends { readonly count: number }, L extends object>(
  counts: readonly T[],
  toLabels: (each: T) => L,
): readonly (L & { readonly count: number })[] {
  const sums = new Map<string, L & { readonly count: number }>()
  for (const each of counts) {
    const labels = toLabels(each)
    const key = Object.values(labels).join(' ')
    sums.set(key, { ...labels, count: (sums.get(key)?.count ?? 0) + each.count })
  }
  return [...sums.values()]
}

/** How many keys of labels or versions are valid, and the oldest of them. */
async function readApiKeys({ db, clock }: InventoryServices, kind: 'application' | 'registration') {
  const isValid = and(
    eq(apiKeys.kind, kind),
    or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, clock())),
  )
  const oldest: KeyAge[] = await db
    .select({ id: apiKeys.consumerId, createdAt: sql<number>`min(${apiKeys.createdAt})` })
    .from(apiKeys)
    .where(isValid)
    .groupBy(apiKeys.consumerId)
    .orderBy(sql`min(${apiKeys.createdAt})`)
    .limit(maxLabelValues)
  return { count: await db.$count(apiKeys, isValid), oldest }
}

/** The keys that sign now, by what they sign. */
async function readSigningKeys({ keyring }: InventoryServices) {
  const oldest: KeyAge[] = []
  for (const use of SigningKeyUse.options) {
    const signing = (await keyring.list(use)).find(({ state }) => state === 'signing')
    if (signing) oldest.push({ id: use, createdAt: signing.createdAt })
  }
  return { count: oldest.length, oldest }
}

/** The keystores that expire first, by version. */
async function readKeystores({ db }: InventoryServices): Promise<readonly KeystoreExpiry[]> {
  const expiry = selectExpiry(db)
  const rows = await db
    .select({ version: configurations.versionId, expiry })
    .from(configurations)
    .where(and(isKeystore, sql`${expiry} is not null`))
    .orderBy(sql`${expiry}`, configurations.versionId)
    .limit(maxLabelValues)
  return rows.map(({ version, expiry }) => ({ version, expiresAt: Date.parse(expiry ?? '') }))
}

/** Rollouts by state, and how far those have come that offer their version. */
async function readRollouts(services: InventoryServices): Promise<Inventory['rollouts']> {
  const rows = await readOpenRollouts(services.db)
  const count = (state: string) => rows.filter((row) => row.state === state).length
  const open: RolloutProgress[] = []
  for (const row of rows.filter(isOffering)) {
    const { stages, stage, versionId: version } = toPlan(row)
    const ratio = (await readLastHour(services, row.id))?.ratio
    open.push({ version, share: (stages[stage]?.share ?? 0) / 100, ratio })
  }
  const counts = { running: count('running'), paused: count('paused'), halted: count('halted') }
  return { counts, open }
}
