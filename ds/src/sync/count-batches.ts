/** Adds the batches of a device to the counters, each once, however often it is sent. */
import { type CounterBatch, noLabel } from '@cardwire/client/protocol'
import { eq, sql } from 'drizzle-orm'
import type { DeviceAssertion } from '../auth/assertion.ts'
import type { Database } from '../db/database.ts'
import { createQuotaStatement, readQuota } from '../db/quota.ts'
import { counterBatches, counters, devices, labels } from '../db/schema.ts'
import type { Services } from '../services.ts'
import { toDay } from './record-sync.ts'

/** How far the day of an entry may lie from today: a device may have been away for long, and clocks differ a little. */
const maxDays = { ago: 400, ahead: 1 }

/** The batches of a request that may be counted today. */
export interface TakenBatches {
  /** With those that were counted before: the device deletes them. */
  readonly acknowledged: readonly CounterBatch[]
  /** How many entries are new. */
  readonly entries: number
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
  if (batches.length === 0) return { acknowledged: [], entries: 0 }
  const known = await db
    .select({ id: counterBatches.id })
    .from(counterBatches)
    .where(eq(counterBatches.deviceId, deviceId))
  const seen = new Set(known.map(({ id }) => id))
  const left = settings.counterLimit - (await readQuota(db, toQuota(deviceId, now)))
  return takeBatches(batches, seen, left)
}

/** Takes batches as long as `left` entries are not used up; those of `seen` ids cost nothing. */
export function takeBatches(
  batches: readonly CounterBatch[],
  seen: ReadonlySet<string>,
  left: number,
): TakenBatches {
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
 */
export function createCountStatements(
  db: Database,
  { device, at }: DeviceAssertion,
  batches: readonly CounterBatch[],
  { acknowledged, entries }: TakenBatches,
  now: number,
) {
  if (batches.length === 0) return []
  const taken = toJson(acknowledged)
  const sent = JSON.stringify(batches.map(({ id }) => id.toLowerCase()))
  const isTaken = sql`(${field('label')} = ${noLabel} or ${field('label')} in (select ${labels.id} from ${labels}))
    and ${field('day')} between ${toDate(now - maxDays.ago * dayMs)} and ${toDate(now + maxDays.ahead * dayMs)}`
  const isRecorded = sql`exists (select 1 from ${devices} where ${devices.id} = ${device.id} and ${devices.assertedAt} = ${at})`
  const ofDevice = sql`${counterBatches.deviceId} = ${device.id}`
  return [
    db
      .insert(counters)
      .select(sql`
        select ${field('day')}, ${field('label')}, ${field('module')}, ${field('useCase')},
          coalesce(${field('tag')}, ''), sum(${field('count')})
        from json_each(${taken}) as batch, json_each(batch.value, '$.entries') as entry
        where ${isRecorded} and ${isTaken}
          and batch.value ->> 'id' not in (select ${counterBatches.id} from ${counterBatches} where ${ofDevice})
        group by 1, 2, 3, 4, 5`)
      .onConflictDoUpdate({
        target: [counters.day, counters.label, counters.module, counters.useCase, counters.tag],
        set: { count: sql`${counters.count} + excluded.count` },
      }),
    db
      .delete(counterBatches)
      .where(
        sql`${ofDevice} and ${isRecorded} and ${counterBatches.id} not in (select value from json_each(${sent}))`,
      ),
    db
      .insert(counterBatches)
      .select(sql`select ${device.id}, value ->> 'id' from json_each(${taken}) where ${isRecorded}`)
      .onConflictDoNothing(),
    createQuotaStatement(db, toQuota(device.id, now), entries, isRecorded),
  ]
}

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
