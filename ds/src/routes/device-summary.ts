/** Counts the devices for administrators: by state, and by day, version and platform. */
import { summarizeDevices } from '@cardwire/client/protocol'
import { asc, count, eq, gt, type SQL, sql } from 'drizzle-orm'
import { devices, fleetDays } from '../db/schema.ts'
import type { Bind } from '../http/bind.ts'
import type { Services } from '../services.ts'
import { getSilentDays } from '../sync/inventory.ts'
import { toDay } from '../sync/record-sync.ts'

export function bindDeviceSummaryRoutes(
  bind: Bind,
  { reader, clock, settings }: Pick<Services, 'reader' | 'clock' | 'settings'>,
): void {
  bind(summarizeDevices, async ({ query: { days } }) => {
    const now = clock()
    const today = toDay(now)
    const [states] = await selectStates(today - getSilentDays(settings.cycleS))
    const past = await selectPastDays(today - days)
    const rows = [...past.filter(({ day }) => day < today), ...(await selectToday(today))]
    return {
      data: {
        at: new Date(now).toISOString(),
        ...(states ?? { devices: 0, blocked: 0, waiting: 0, silent: 0, faulty: 0 }),
        days: rows.map(({ day, ...row }) => ({ day: toDate(day), ...row })),
      },
    }
  })

  const selectStates = (silentBefore: number) => {
    const countIf = (condition: SQL) => sql<number>`count(case when ${condition} then 1 end)`
    const isServed = sql`not ${devices.blocked}`
    return reader
      .select({
        devices: count(),
        blocked: countIf(sql`${devices.blocked}`),
        waiting: countIf(sql`${isServed} and not ${devices.approved}`),
        silent: countIf(sql`${isServed} and ${devices.lastSeenDay} < ${silentBefore}`),
        faulty: countIf(sql`${devices.faults} <> '[]'`),
      })
      .from(devices)
  }

  const selectPastDays = (after: number) =>
    reader
      .select()
      .from(fleetDays)
      .where(gt(fleetDays.day, after))
      .orderBy(asc(fleetDays.day), asc(fleetDays.version), asc(fleetDays.platform))

  const selectToday = (today: number) =>
    reader
      .select({
        day: devices.lastSeenDay,
        version: devices.version,
        platform: devices.platform,
        count: count(),
      })
      .from(devices)
      .where(eq(devices.lastSeenDay, today))
      .groupBy(devices.lastSeenDay, devices.version, devices.platform)
      .orderBy(asc(devices.version), asc(devices.platform))
}

const toDate = (day: number): string => new Date(day * 86_400_000).toISOString().slice(0, 10)
