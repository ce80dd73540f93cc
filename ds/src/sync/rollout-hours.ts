/** Notes how a rollout goes, one row for each hour in which its devices are counted. */
import { and, desc, eq, inArray, sql } from 'drizzle-orm'
import { exists } from '../db/audit.ts'
import type { GroupCounts, RolloutRow } from '../db/rollouts.ts'
import { rolloutHours, rollouts } from '../db/schema.ts'
import { findOldHours, fromHour, maxHours, toHour } from '../rules/rollout-hours.ts'
import type { Services } from '../services.ts'

/** The most that one statement removes: D1 takes a hundred values. The others follow an hour later. */
const removedAtOnce = 90

/** Most countings find what the hour has already, and write nothing. */
export async function noteHour(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  { id, revision }: Pick<RolloutRow, 'id' | 'revision'>,
  { devices, installed, successes, faults, wentBack, silent }: GroupCounts,
  ratio: number,
): Promise<void> {
  const hour = toHour(clock())
  const counts = JSON.stringify({
    ...{ offered: devices, installed, successes, failures: faults + wentBack, silent },
    ratio: Math.round(ratio * 1000) / 1000,
  })
  const { rolloutId } = rolloutHours
  const [stored] = await db
    .select({ counts: rolloutHours.counts })
    .from(rolloutHours)
    .where(and(eq(rolloutId, id), eq(rolloutHours.hour, hour)))
  if (stored && JSON.stringify(stored.counts) === counts) return
  // What was counted before the test started over belongs to no hour after it.
  const isSame = exists(rollouts, and(eq(rollouts.id, id), eq(rollouts.revision, revision)))
  await db
    .insert(rolloutHours)
    .select(sql`select ${id}, ${hour}, ${counts} where ${isSame}`)
    .onConflictDoUpdate({
      target: [rolloutId, rolloutHours.hour],
      set: { counts: sql`excluded.counts` },
    })
  if (!stored) await removeOldHours(db, id)
}

async function removeOldHours(db: Services['db'], id: string): Promise<void> {
  const { rolloutId, hour } = rolloutHours
  const rows = await db.select({ hour }).from(rolloutHours).where(eq(rolloutId, id))
  const old = findOldHours(rows.map((row) => row.hour)).slice(0, removedAtOnce)
  if (old.length > 0)
    await db.delete(rolloutHours).where(and(eq(rolloutId, id), inArray(hour, [...old])))
}

/** The latest hours, oldest first. */
export async function readHours(services: Pick<Services, 'reader'>, id: string) {
  const rows = await readNewest(services, id, maxHours)
  return rows
    .toReversed()
    .map(({ hour, counts }) => ({ at: new Date(fromHour(hour)).toISOString(), ...counts }))
}

/** What was counted last; undefined: nothing yet. */
export const readLastHour = async (services: Pick<Services, 'reader'>, id: string) =>
  (await readNewest(services, id, 1))[0]?.counts

function readNewest({ reader }: Pick<Services, 'reader'>, id: string, limit: number) {
  const { rolloutId, hour, counts } = rolloutHours
  return reader
    .select({ hour, counts })
    .from(rolloutHours)
    .where(eq(rolloutId, id))
    .orderBy(desc(hour))
    .limit(limit)
}
