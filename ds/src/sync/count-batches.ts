/** Adds the batches of a device to the counters, each once, however often it is sent. */
import { type CounterBatch, noLabel } from '@cardwire/protocol'
import { eq, type SQL, sql } from 'drizzle-orm'
import type { DeviceAssertion } from '../auth/assertion.ts'
import type { Database } from '../db/database.ts'
import { isEvidence } from '../db/evidence.ts'
import { createQuotaStatement, isWithinQuota, readQuota } from '../db/quota.ts'
import { counterBatches, counters, devices, labels } from '../db/schema.ts'
import type { Services } from '../services.ts'
import { toDay } from './record-sync.ts'
import { createUseStatement, type UsedLabel } from './unique-devices.ts'

/**
 * How far the day of an entry may lie from today: a device may have been away for long, and clocks differ a little. Beyond
 * that the clock of the device was wrong: the use happened, and counts for today.
 */
const maxDays = { ago: 400, ahead: 1 }

/** The batches of a request that may be counted today. */
export interface TakenBatches {
  /** With those that were counted before: the device deletes them. */
  readonly acknowledged: readonly CounterBatch[]
  /** Those of them that were counted before. */
  readonly repeated: readonly CounterBatch[]
  /** How many entries are new. */
  readonly entries: number
  /** Of the day, for all entries of the device. */
  readonly limit: number
}

/** The quota of a device's entries of counters. */
const toQuota = (deviceId: string, now: number) => ({
  subject: `counter entries of ${deviceId}`,
  day: toDay(now),
})

/** Selects the oldest batches within the limit of the day. The device sends the others again. */
export async function selectBatches(
  { db, settings }: Pick<Services, 'db' | 'settings'>,
  deviceId: string,
  batches: readonly CounterBatch[],
  now: number,
): Promise<TakenBatches> {
  const limit = settings.counterLimit
  if (batches.length === 0) return { acknowledged: [], repeated: [], entries: 0, limit }
  const known = await db
    .select({ id: counterBatches.id })
    .from(counterBatches)
    .where(eq(counterBatches.deviceId, deviceId))
  const seen = new Set(known.map(({ id }) => id))
  const left = limit - (await readQuota(db, toQuota(deviceId, now)))
  const repeated = batches.filter(({ id }) => seen.has(id.toLowerCase()))
  return { ...takeBatches(batches, seen, left), repeated, limit }
}

/** Takes batches as long as `left` entries are not used up; those of `seen` ids cost nothing. */
export function takeBatches(
  batches: readonly CounterBatch[],
  seen: ReadonlySet<string>,
  left: number,
): Pick<TakenBatches, 'acknowledged' | 'entries'> {
  const acknowledged: CounterBatch[] = []
  const ids = new Set(seen)
  let entries = 0
  for (const batch of batches) {
    const id = batch.id.toLowerCase()
    const cost = ids.has(id) ? 0 : batch.entries.length
    if (entries + cost > left && cost > 0) continue
    acknowledged.push(batch)
    ids.add(id)
    entries += cost
  }
  return { acknowledged, entries }
}

/**
 * The statements that count the batches not counted yet. They stand after the update of the device, in the same batch, and
 * have no effect when the assertion was refused as a replay: the request with the later one has counted these batches.
 *
 * A device sends a batch in every request until it is acknowledged. A batch that the newest request does not contain is
 * therefore never sent again, and its id is deleted.
 *
 * The last statement returns a row when the new batches were counted. It returns none when another request of the device
 * has used up the limit since `selectBatches` has read it, or while the device waits for approval: only `repeated` is
 * acknowledged then, and the device keeps the others.
 */
export function createCountStatements(
  db: Database,
  { device, at }: DeviceAssertion,
  batches: readonly CounterBatch[],
  { acknowledged, entries, limit }: TakenBatches,
  used: readonly UsedLabel[],
  now: number,
) {
  if (batches.length === 0) return []
  const { eachObject, eachText } = db.sqlDialect
  const taken = toJson(acknowledged)
  const sent = JSON.stringify(batches.map(({ id }) => id.toLowerCase()))
  const isKnown = (label: SQL) =>
    sql`(${label} = ${noLabel} or ${label} in (select ${labels.id} from ${labels}))`
  const isKnownLabel = isKnown(field('label'))
  const { first, last } = toCountedDays(now)
  const countedDay = sql`case when ${field('day')} between ${first} and ${last} then ${field('day')} else ${toDate(now)} end`
  const isOfAssertion = sql`${devices.id} = ${device.id} and ${devices.assertedAt} = ${at}`
  const isRecorded = sql`exists (select 1 from ${devices} where ${isOfAssertion})`
  const isEvident = sql`exists (select 1 from ${devices} where ${isOfAssertion} and ${isEvidence(devices)})`
  const quota = toQuota(device.id, now)
  const isCounted = sql`${isEvident} and ${isWithinQuota(quota, entries, limit)}`
  const ofDevice = sql`${counterBatches.deviceId} = ${device.id}`
  return [
    db
      .insert(counters)
      .select(sql`
        select ${countedDay}, ${field('label')}, ${field('module')}, ${field('useCase')},
          coalesce(${field('tag')}, ''), sum(cast(${field('count')} as bigint))
        from ${eachObject(taken)} as batch, ${eachObject(sql`batch.value`, 'entries')} as entry
        where ${isCounted} and ${isKnownLabel}
          and batch.value ->> 'id' not in (select ${counterBatches.id} from ${counterBatches} where ${ofDevice})
        group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5`)
      .onConflictDoUpdate({
        target: [counters.day, counters.label, counters.module, counters.useCase, counters.tag],
        set: { count: sql`${counters.count} + excluded.count` },
      }),
    ...(used.length === 0
      ? []
      : [createUseStatement(db, used, { isCounted, isKnownLabel: isKnown })]),
    db
      .delete(counterBatches)
      .where(
        sql`${ofDevice} and ${isRecorded} and ${counterBatches.id} not in (select value from ${eachText(sent)})`,
      ),
    db
      .insert(counterBatches)
      .select(sql`select ${device.id}, value ->> 'id' from ${eachObject(taken)} where ${isCounted}`)
      .onConflictDoNothing(),
    createQuotaStatement(db, quota, entries, isCounted),
  ]
}

/** The day that an entry counts for. */
export function toCountedDay(day: string, now: number): string {
  const { first, last } = toCountedDays(now)
  return day >= first && day <= last ? day : toDate(now)
}

/** The first and the last day of which entries are counted. */
const toCountedDays = (now: number) => ({
  first: toDate(now - maxDays.ago * dayMs),
  last: toDate(now + maxDays.ahead * dayMs),
})

const dayMs = 86_400_000

const toDate = (time: number): string => new Date(time).toISOString().slice(0, 10)

const field = (name: string) => sql.raw(`entry.value ->> '${name}'`)

/** The batches as SQL reads them, each once. */
const toJson = (batches: readonly CounterBatch[]): string =>
  JSON.stringify(
    [...new Map(batches.map((batch) => [batch.id.toLowerCase(), batch.entries]))].map(
      ([id, entries]) => ({ id, entries }),
    ),
  )
