/** Reads rollouts, and what is known of their devices. */
import { and, eq, ne, or, type SQL, sql } from 'drizzle-orm'
import type { RolloutPlan } from '../rules/rollout.ts'
import { silenceS } from '../rules/rollout-progress.ts'
import type { Database, Reader } from './database.ts'
import { isEvidence } from './evidence.ts'
import { devices, rolloutDevices, rollouts } from './schema.ts'

export type RolloutRow = typeof rollouts.$inferSelect

/** A rollout as its rules see it. */
export const toPlan = ({ id, versionId, flag, state, plan, stage }: RolloutRow): RolloutPlan => ({
  ...{ id, versionId, flag, state, stage },
  stages: plan.stages,
})

/** Those that are not finished: one for each version. */
export const readOpenRollouts = (db: Reader | Database): Promise<RolloutRow[]> =>
  Promise.resolve(db.select().from(rollouts).where(ne(rollouts.state, 'finished')))

/** How the devices of a group fare. */
export interface GroupCounts {
  readonly devices: number
  readonly installed: number
  readonly successes: number
  readonly faults: number
  readonly wentBack: number
  readonly silent: number
}

/** The devices of a rollout. */
export interface RolloutDeviceCounts {
  /** All that it has reached. */
  readonly reached: GroupCounts
  /** Those of them that it reached in the current stage. */
  readonly reachedInStage: GroupCounts
  /** Those that they are compared with, as they were noted in the current stage. */
  readonly control: GroupCounts
  /** Of those that it has reached, how many were reached, or got the version, too lately to be known as silent. */
  readonly fresh: number
}

/** By group and stage in one reading, of devices that count as evidence. */
export async function countRolloutDevices(
  reader: Reader,
  { id, stage }: Pick<RolloutRow, 'id' | 'stage'>,
  now: number,
): Promise<RolloutDeviceCounts> {
  const { arm, outcome, installedAt, seenAt, since } = rolloutDevices
  const countIf = (condition: SQL) =>
    sql`coalesce(sum(case when ${condition} then 1 else 0 end), 0)`.mapWith(Number)
  const silentBefore = now - silenceS * 1000
  const rows = await reader
    .select({
      ...{ arm, stage: rolloutDevices.stage },
      devices: sql`count(*)`.mapWith(Number),
      installed: countIf(sql`${installedAt} is not null`),
      successes: countIf(sql`${outcome} = 'success'`),
      faults: countIf(sql`${outcome} = 'fault'`),
      wentBack: countIf(sql`${outcome} = 'went-back'`),
      silent: countIf(
        sql`${seenAt} < ${silentBefore} and coalesce(${outcome}, '') not in ('fault', 'went-back')`,
      ),
      fresh: countIf(sql`coalesce(${installedAt}, ${since}) >= ${silentBefore}`),
    })
    .from(rolloutDevices)
    .innerJoin(devices, eq(devices.id, rolloutDevices.deviceId))
    .where(
      and(
        eq(rolloutDevices.rolloutId, id),
        or(eq(arm, 'reached'), eq(rolloutDevices.stage, stage)),
        isEvidence(devices),
      ),
    )
    .groupBy(arm, rolloutDevices.stage)
  const reached = rows.filter((row) => row.arm === 'reached')
  return {
    reached: sumCounts(reached),
    reachedInStage: sumCounts(reached.filter((row) => row.stage === stage)),
    control: sumCounts(rows.filter((row) => row.arm === 'control')),
    fresh: reached.reduce((sum, { fresh }) => sum + fresh, 0),
  }
}

const sumCounts = (rows: readonly GroupCounts[]): GroupCounts => {
  const sum = (name: keyof GroupCounts) => rows.reduce((total, row) => total + row[name], 0)
  return {
    ...{ devices: sum('devices'), installed: sum('installed'), successes: sum('successes') },
    ...{ faults: sum('faults'), wentBack: sum('wentBack'), silent: sum('silent') },
  }
}

/** The row of one device; undefined while it belongs to no group. */
export async function findRolloutDevice(db: Database, rolloutId: string, deviceId: string) {
  const [row] = await db
    .select()
    .from(rolloutDevices)
    .where(and(eq(rolloutDevices.rolloutId, rolloutId), eq(rolloutDevices.deviceId, deviceId)))
  return row
}
