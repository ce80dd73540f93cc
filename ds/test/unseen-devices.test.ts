/** Very many devices that were not seen, and what else is over, are removed a part at a time, so that no request waits for all of them. */
import { eq, sql } from 'drizzle-orm'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { proves } from '../../test/bed/proves.ts'
import {
  audit,
  changedDevices,
  clockReadings,
  departedBatches,
  deviceChanges,
  devices,
  quotas,
} from '../src/db/schema.ts'
import { createUnseenDeviceRemoval } from '../src/sync/remove-unseen-devices.ts'
import { type InProcess, startInProcess } from './harness/in-process.ts'

let ds: InProcess
beforeEach(async () => {
  ds = await startInProcess()
})
afterEach(() => ds.stop())

test('each call removes a thousand, with an entry each, until none is left', async () => {
  const { db } = ds.services
  const today = Math.floor(ds.now / 86_400_000)
  await db.insert(clockReadings).values({ id: 1, day: today, steadySince: today - 14 })
  await db.insert(devices).select(sql`
    with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < 2500)
    select 'd' || n, 'd' || n, '{}', '4.0.0', 'UNIX', '{}', '{}', false, true, 1, 0, 0, 0, 0, 100, '[]', null, 0, null, null, '[]' from numbers`)
  const remove = createUnseenDeviceRemoval(ds.services)
  const counts: (readonly number[])[] = []
  for (let call = 0; call < 4; call += 1) {
    await remove(ds.now)
    const isRemoval = eq(audit.operation, 'removeUnseenDevices')
    counts.push([await db.$count(devices), await db.$count(audit, isRemoval)])
  }
  expect(counts).toEqual([
    [1500, 1000],
    [500, 2000],
    [0, 2500],
    [0, 2500],
  ])
})

/** A `with` that has the numbers to 2,500 as `n`. */
const numbers = sql`with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < 2500)`

test('each call removes a thousand quotas, devices of an old change of many, and batches', async () => {
  proves('removals-at-once')
  const { db } = ds.services
  const today = Math.floor(ds.now / 86_400_000)
  await db.insert(clockReadings).values({ id: 1, day: today, steadySince: today - 14 })
  const change = {
    change: 'block',
    filter: '',
    reach: 2500,
    done: 2500,
    lastId: '',
    step: '',
  } as const
  await db.insert(deviceChanges).values([
    { id: 'old', ...change, createdAt: ds.now - 31 * 86_400_000 },
    { id: 'new', ...change, createdAt: ds.now },
  ])
  await db.insert(changedDevices).values({ changeId: 'new', deviceId: 'd1' })
  await db
    .insert(changedDevices)
    .select(sql`${numbers} select 'old', 'd' || n, false, null from numbers`)
  await db.insert(departedBatches).select(sql`${numbers} select 'd' || n, 'b', 100 from numbers`)
  await db.insert(quotas).values({ subject: 'of today', day: today, used: 1 })
  await db.insert(quotas).select(sql`${numbers} select 'd' || n, ${today - 1}, 1 from numbers`)
  const remove = createUnseenDeviceRemoval(ds.services)
  const counts: (readonly number[])[] = []
  for (let call = 0; call < 4; call += 1) {
    await remove(ds.now)
    const tables = [quotas, departedBatches, changedDevices, deviceChanges]
    counts.push(await Promise.all(tables.map((table) => db.$count(table))))
  }
  expect(counts).toEqual([
    [1501, 1500, 1501, 2],
    [501, 500, 501, 2],
    [1, 0, 1, 1],
    [1, 0, 1, 1],
  ])
})

test('two nodes around midnight are no jump of the clock', async () => {
  const { db } = ds.services
  const midnight = Date.UTC(2026, 0, 2)
  const day = midnight / 86_400_000
  await db.insert(clockReadings).values({ id: 1, day: day - 1, steadySince: day - 20 })
  const [ahead, behind] = [
    createUnseenDeviceRemoval(ds.services),
    createUnseenDeviceRemoval(ds.services),
  ]
  await ahead(midnight)
  await behind(midnight - 30_000)

  expect(await db.select().from(clockReadings)).toEqual([{ id: 1, day, steadySince: day - 20 }])
})
