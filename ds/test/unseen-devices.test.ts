/** Very many devices that were not seen are removed a part at a time: nobody waits for all of them. */
import { eq, sql } from 'drizzle-orm'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { audit, clockReadings, devices } from '../src/db/schema.ts'
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
    select 'd' || n, 'd' || n, '{}', '4.0.0', 'UNIX', '{}', '{}', false, true, 1, 0, 0, 0, 0, 100, null, 0, null, null, '[]' from numbers`)
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
