/** Counts batches once, however often they come. */
import type { CounterBatch } from '@cardwire/client/protocol'
import { sql } from 'drizzle-orm'
import type { Asserted } from '../auth/assertion.ts'
import type { Database } from '../db/database.ts'
import { counterBatches, counters, devices } from '../db/schema.ts'

/**
 * The statements that count what was not counted yet. They stand behind the one that takes the assertion, in one batch,
 * and do nothing unless it was taken: a request that was overtaken by a later one must not count what that one did.
 *
 * A device sends a batch in every request until it is acknowledged. What the newest request does not hold is therefore
 * never sent again, and its id need not be kept.
 */
export function counting(db: Database, { device, at }: Asserted, batches: readonly CounterBatch[]) {
  if (batches.length === 0) return []
  const sent = JSON.stringify(
    [...new Map(batches.map((batch) => [batch.id.toLowerCase(), batch.entries]))].map(
      ([id, entries]) => ({ id, entries }),
    ),
  )
  const taken = sql`exists (select 1 from ${devices} where ${devices.id} = ${device.id} and ${devices.assertedAt} = ${at})`
  const ofDevice = sql`${counterBatches.deviceId} = ${device.id}`
  const field = (name: string) => sql.raw(`entry.value ->> '${name}'`)
  return [
    db
      .insert(counters)
      .select(sql`
        select ${field('day')}, ${field('label')}, ${field('module')}, ${field('useCase')},
          coalesce(${field('tag')}, ''), sum(${field('count')})
        from json_each(${sent}) as batch, json_each(batch.value, '$.entries') as entry
        where ${taken}
          and batch.value ->> 'id' not in (select ${counterBatches.id} from ${counterBatches} where ${ofDevice})
        group by 1, 2, 3, 4, 5`)
      .onConflictDoUpdate({
        target: [counters.day, counters.label, counters.module, counters.useCase, counters.tag],
        set: { count: sql`${counters.count} + excluded.count` },
      }),
    db
      .delete(counterBatches)
      .where(
        sql`${ofDevice} and ${taken} and ${counterBatches.id} not in (select value ->> 'id' from json_each(${sent}))`,
      ),
    db
      .insert(counterBatches)
      .select(sql`select ${device.id}, value ->> 'id' from json_each(${sent}) where ${taken}`)
      .onConflictDoNothing(),
  ]
}
