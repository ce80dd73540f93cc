/** Counts devices and keys for the metrics, without holding up the requests of others. */
import { type DeviceStanding, SigningKeyUse } from '@cardwire/client/protocol'
import { and, count, eq, gt, isNull, or, sql } from 'drizzle-orm'
import { describeError } from '../db/describe-error.ts'
import { isKeystore, selectExpiry } from '../db/keystore-expiry.ts'
import { apiKeys, configurations, devices } from '../db/schema.ts'
import type { DeviceCount, Inventory, KeyAge, KeystoreExpiry } from '../ports.ts'
import { getSilentDays } from '../rules/device-status.ts'
import type { Services } from '../services.ts'
import { toDay } from './record-sync.ts'

/** How many rows are read in one statement: some milliseconds, in which Node answers nothing else. */
const rowsPerStatement = 2000

/** The values of the label `version`, and of `id` for each kind of key. Each one is a time series. */
const maxLabelValues = 50

/** Counting takes at most this share of the time, however often the metrics are read. */
const maxShare = 0.01

/** Milliseconds that a first reading waits for the count; very many devices take longer. */
const firstWaitMs = 3000

type InventoryServices = Pick<Services, 'db' | 'clock' | 'uptime' | 'settings' | 'keyring' | 'log'>

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
  return {
    countedAt,
    devices: limitVersions(await countDevices(services, countedAt)),
    keys: { label, installation, signing },
    keystores: await readKeystores(services),
  }
}

/** Reads the devices in the order of their rows, some at a time. */
async function countDevices(
  { db, settings }: InventoryServices,
  now: number,
): Promise<ReadonlyMap<string, DeviceCount>> {
  const silentBefore = toDay(now) - getSilentDays(settings.cycleS)
  const standing = sql<DeviceStanding>`case
    when ${devices.blocked} then 'blocked'
    when not ${devices.approved} then 'waiting'
    when ${devices.lastSeenDay} < ${silentBefore} then 'silent'
    else 'active' end`
  const counts = new Map<string, DeviceCount>()
  let after: number | null = 0
  while (after !== null) {
    const part = db
      .select({
        row: sql<number>`${devices}.rowid`.as('row'),
        version: devices.version,
        standing: standing.as('standing'),
      })
      .from(devices)
      .where(sql`${devices}.rowid > ${after}`)
      .orderBy(sql`${devices}.rowid`)
      .limit(rowsPerStatement)
      .as('part')
    const rows: (DeviceCount & { readonly last: number })[] = await db
      .select({
        version: part.version,
        standing: part.standing,
        count: count(),
        last: sql<number>`max(${part.row})`,
      })
      .from(part)
      .groupBy(part.version, sql`${part.standing}`)
    for (const row of rows) addCount(counts, row)
    const read = rows.reduce((sum, row) => sum + row.count, 0)
    after = read < rowsPerStatement ? null : Math.max(...rows.map(({ last }) => last))
    // A driver that answers at once leaves no turn for other requests.
    await new Promise<void>((resolve) => setTimeout(resolve, 0))
  }
  return counts
}

function addCount(counts: Map<string, DeviceCount>, { version, standing, count }: DeviceCount) {
  const key = `${version} ${standing}`
  counts.set(key, { version, standing, count: (counts.get(key)?.count ?? 0) + count })
}

/** Keeps the versions with the most devices; the others are one, `other`, which is no semantic version. */
function limitVersions(counts: ReadonlyMap<string, DeviceCount>): readonly DeviceCount[] {
  const totals = new Map<string, number>()
  for (const { version, count } of counts.values()) {
    totals.set(version, (totals.get(version) ?? 0) + count)
  }
  // Of equal counts the same ones each time: else their series would come and go.
  const sorted = [...totals].sort(
    ([id, one], [otherId, other]) => other - one || (id < otherId ? -1 : 1),
  )
  const kept = new Set(sorted.slice(0, maxLabelValues).map(([version]) => version))
  const limited = new Map<string, DeviceCount>()
  for (const each of counts.values()) {
    addCount(limited, kept.has(each.version) ? each : { ...each, version: 'other' })
  }
  return [...limited.values()]
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
