/** What the overview says of the devices: how many there are by state, and by day, version and platform. */
import { type DeviceStanding, maxSummarizedVersions, summarizeDevices } from '@cardwire/protocol'
import { and, asc, eq, gt, lt, type SQL, sql } from 'drizzle-orm'
import { total } from '../db/device-counts.ts'
import { type StandingRules, standingConditions } from '../db/device-filter.ts'
import { readReleases } from '../db/read-releases.ts'
import { readOpenRollouts, toPlan } from '../db/rollouts.ts'
import { deviceCounts, fleetDays } from '../db/schema.ts'
import type { Bind } from '../http/bind.ts'
import { isStopped } from '../rules/affected-devices.ts'
import { applyRollouts } from '../rules/rollout.ts'
import { prepareVerdicts } from '../rules/verdict.ts'
import type { Services } from '../services.ts'
import { toDay } from '../sync/record-sync.ts'
import { readDeviceGroups, sumCounts } from './count-affected.ts'
import { getStandingRules } from './device-lists.ts'

/** No semantic version. */
const otherVersion = 'other'

export function bindDeviceSummaryRoutes(
  bind: Bind,
  services: Pick<Services, 'db' | 'reader' | 'clock' | 'settings'>,
): void {
  const { reader, clock } = services
  bind(summarizeDevices, async ({ query: { days } }) => {
    const now = clock()
    const today = toDay(now)
    const [states] = await selectStates(reader, getStandingRules(services))
    const period = { after: today - days, before: today }
    const newest = await selectToday(reader, today)
    const kept = keepVersions([...(await selectVersions(reader, period)), ...newest])
    const rows = [...(await selectPastDays(reader, period, kept)), ...groupOthers(newest, kept)]
    return {
      data: {
        at: new Date(now).toISOString(),
        ...(states ?? { devices: 0, blocked: 0, unserved: 0, waiting: 0, silent: 0, faulty: 0 }),
        withoutInstaller: await countWithoutInstaller(services),
        days: rows.map(({ day, ...row }) => ({ day: toDate(day), ...row })),
      },
    }
  })
}

/** Of the days since 1970, neither of them included. */
interface Period {
  readonly after: number
  readonly before: number
}

type Reader = Services['reader']

const selectStates = (reader: Reader, rules: StandingRules) => {
  const { faulty, count } = deviceCounts
  const countIf = (condition: SQL) =>
    sql<number>`coalesce(sum(case when ${condition} then ${count} end), 0)`.mapWith(Number)
  const countStanding = (standing: DeviceStanding) =>
    countIf(standingConditions[standing](deviceCounts, rules))
  return reader
    .select({
      devices: total,
      blocked: countStanding('blocked'),
      unserved: countStanding('unserved'),
      waiting: countStanding('waiting'),
      silent: countStanding('silent'),
      faulty: countIf(sql`${faulty}`),
    })
    .from(deviceCounts)
}

/** Devices that must stop or update, and have no version to update to. */
async function countWithoutInstaller(services: Pick<Services, 'db' | 'reader' | 'settings'>) {
  const rollouts = (await readOpenRollouts(services.db)).map(toPlan)
  const decide = prepareVerdicts(applyRollouts(await readReleases(services.reader), rollouts))
  const groups = await readDeviceGroups(services)
  return sumCounts(
    groups.filter(({ version, platform }) => {
      const { action, target } = decide(version, platform)
      return isStopped(action) && target === undefined
    }),
  )
}

const selectVersions = (reader: Reader, { after, before }: Period) =>
  reader
    .select({ version: fleetDays.version, count: sql`sum(${fleetDays.count})`.mapWith(Number) })
    .from(fleetDays)
    .where(and(gt(fleetDays.day, after), lt(fleetDays.day, before)))
    .groupBy(fleetDays.version)

const selectPastDays = (reader: Reader, { after, before }: Period, kept: ReadonlySet<string>) => {
  const { day, version, platform, count: number } = fleetDays
  const isKept = sql`${version} in (select value from ${reader.sqlDialect.eachText(JSON.stringify([...kept]))})`
  const part = reader
    .select({
      day,
      version: sql<string>`case when ${isKept} then ${version} else ${otherVersion} end`.as('of'),
      platform,
      count: number,
    })
    .from(fleetDays)
    .where(and(gt(day, after), lt(day, before)))
    .as('part')
  return reader
    .select({
      day: part.day,
      version: part.version,
      platform: part.platform,
      count: sql`sum(${part.count})`.mapWith(Number),
    })
    .from(part)
    .groupBy(part.day, sql`${part.version}`, part.platform)
    .orderBy(asc(part.day), sql`${part.version}`, asc(part.platform))
}

const selectToday = (reader: Reader, today: number) => {
  const { lastSeenDay: day, version, platform } = deviceCounts
  return reader
    .select({ day, version, platform, count: total })
    .from(deviceCounts)
    .where(eq(day, today))
    .groupBy(day, version, platform)
    .orderBy(asc(version), asc(platform))
}

/** The versions with the most devices; of equal ones the first by their ids. */
function keepVersions(counts: readonly { readonly version: string; readonly count: number }[]) {
  const totals = new Map<string, number>()
  for (const { version, count } of counts) totals.set(version, (totals.get(version) ?? 0) + count)
  const sorted = [...totals].sort(
    ([id, one], [otherId, other]) => other - one || (id < otherId ? -1 : 1),
  )
  return new Set(sorted.slice(0, maxSummarizedVersions).map(([version]) => version))
}

type DayCount = typeof fleetDays.$inferSelect

function groupOthers(rows: readonly DayCount[], kept: ReadonlySet<string>): DayCount[] {
  const grouped = new Map<string, DayCount>()
  for (const row of rows) {
    const version = kept.has(row.version) ? row.version : otherVersion
    const key = `${version} ${row.platform}`
    const count = (grouped.get(key)?.count ?? 0) + row.count
    grouped.set(key, { ...row, version, count })
  }
  return [...grouped.values()]
}

const toDate = (day: number): string => new Date(day * 86_400_000).toISOString().slice(0, 10)
