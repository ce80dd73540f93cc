/** Counts, once for each day that is over, how many devices were seen on it by version and platform. */
import { and, gt, lt, max } from 'drizzle-orm'
import { describeError } from '../db/describe-error.ts'
import { total } from '../db/device-counts.ts'
import { deviceCounts, fleetDays } from '../db/schema.ts'
import type { Services } from '../services.ts'
import { toDay } from './record-sync.ts'

/** How many rows a statement stores: D1 takes a hundred parameters. */
const rowsPerStatement = 25

/**
 * To be called before the first request of a device on a day is stored: until then the devices of the day before stand where
 * it left them. Works once a day for each process, and never fails a request. Several processes store the same once.
 */
export function createFleetDayCount({
  db,
  reader,
  log,
}: Pick<Services, 'db' | 'reader' | 'log'>): (now: number) => Promise<void> {
  let countedDay: number | undefined

  return async (now) => {
    const today = toDay(now)
    if (countedDay === today) return
    countedDay = today
    try {
      await countDays(today)
    } catch (error) {
      countedDay = undefined
      log.error('devices of the day before not counted', { error: describeError(error) })
    }
  }

  async function countDays(today: number): Promise<void> {
    // Later days were stored while the clock was ahead.
    const [stored] = await db
      .select({ last: max(fleetDays.day) })
      .from(fleetDays)
      .where(lt(fleetDays.day, today))
    // Of a day before the first count, most devices were seen later, too: it would seem to have few.
    const last = stored?.last ?? today - 2
    const { lastSeenDay: day, version, platform } = deviceCounts
    const rows = await reader
      .select({ day, version, platform, count: total })
      .from(deviceCounts)
      .where(and(gt(day, last), lt(day, today)))
      .groupBy(day, version, platform)
    const parts = Array.from({ length: Math.ceil(rows.length / rowsPerStatement) }, (_, at) =>
      rows.slice(at * rowsPerStatement, (at + 1) * rowsPerStatement),
    )
    const [first, ...others] = parts.map((part) =>
      db.insert(fleetDays).values(part).onConflictDoNothing(),
    )
    if (first) await db.batch([first, ...others])
  }
}
