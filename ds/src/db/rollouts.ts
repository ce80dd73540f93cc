/** Reads rollouts, and what is known of their devices. */
import { and, eq, ne, sql } from 'drizzle-orm'
import type { Arm, RolloutPlan } from '../rules/rollout.ts'
import { silenceS } from '../rules/rollout-progress.ts'
import type { Database, Reader } from './database.ts'
import { rolloutDevices, rollouts } from './schema.ts'

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

const none: GroupCounts = {
  ...{ devices: 0, installed: 0, successes: 0, faults: 0, wentBack: 0, silent: 0 },
}

/** The devices of a rollout by group. */
export async function countRolloutDevices(
  reader: Reader,
  id: string,
  now: number,
): Promise<Readonly<Record<Arm, GroupCounts>>> {
  const { arm, outcome, installedAt, seenAt } = rolloutDevices
  const countIf = (condition: ReturnType<typeof sql>) =>
    sql`coalesce(sum(case when ${condition} then 1 else 0 end), 0)`.mapWith(Number)
  const rows = await reader
    .select({
      arm,
      devices: sql`count(*)`.mapWith(Number),
      installed: countIf(sql`${installedAt} is not null`),
      successes: countIf(sql`${outcome} = 'success'`),
      faults: countIf(sql`${outcome} = 'fault'`),
      wentBack: countIf(sql`${outcome} = 'went-back'`),
      silent: countIf(
        sql`${seenAt} < ${now - silenceS * 1000} and coalesce(${outcome}, '') not in ('fault', 'went-back')`,
      ),
    })
    .from(rolloutDevices)
    .where(eq(rolloutDevices.rolloutId, id))
    .groupBy(arm)
  const find = (wanted: Arm) => {
    const { arm: _, ...counts } = rows.find((row) => row.arm === wanted) ?? { arm: wanted, ...none }
    return counts
  }
  return { reached: find('reached'), control: find('control') }
}

/** The row of one device; undefined while it belongs to no group. */
export async function findRolloutDevice(db: Database, rolloutId: string, deviceId: string) {
  const [row] = await db
    .select()
    .from(rolloutDevices)
    .where(and(eq(rolloutDevices.rolloutId, rolloutId), eq(rolloutDevices.deviceId, deviceId)))
  return row
}
