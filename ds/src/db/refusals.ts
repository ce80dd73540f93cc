/** Stores refused registrations, within bounds: what others can cause at will must not fill the database. */
import { refusalBounds } from '@cardwire/protocol'
import { desc, eq, inArray, lt, sql } from 'drizzle-orm'
import type { Database } from './database.ts'
import { newestFirst } from './delete-beyond.ts'
import { refusals } from './schema.ts'

type Row = typeof refusals.$inferInsert
export type Refusal = Omit<Row, 'id' | 'count' | 'firstAt' | 'lastAt'>

/** The time since which refusals are kept. */
export const getRefusalHorizon = (now: number): number => now - refusalBounds.days * 86_400_000

/** Adds one; beyond the bounds those go whose last time is longest ago, and before them those of a clock that was ahead. */
export async function storeRefusal(db: Database, refusal: Refusal, now: number): Promise<void> {
  const { address, reason, fingerprint, ...latest } = refusal
  await db.batch([
    db
      .insert(refusals)
      .values({ ...refusal, count: 1, firstAt: now, lastAt: now })
      .onConflictDoUpdate({
        target: [refusals.address, refusals.reason, refusals.fingerprint],
        set: { ...latest, count: sql`${refusals.count} + 1`, lastAt: now },
      }),
    deleteBeyond(db, now, refusalBounds.rowsPerAddress, address),
    deleteBeyond(db, now, refusalBounds.rows),
    createRefusalCleanup(db, now),
  ])
}

/** The statement that deletes those that are too old. */
export const createRefusalCleanup = (db: Database, now: number) =>
  db.delete(refusals).where(lt(refusals.lastAt, getRefusalHorizon(now)))

/** The statement that deletes all but the newest `rows`, of one address or of all. */
function deleteBeyond(db: Database, now: number, rows: number, address?: string) {
  const older = db
    .select({ id: refusals.id })
    .from(refusals)
    .where(address === undefined ? undefined : eq(refusals.address, address))
    .orderBy(...newestFirst(refusals.lastAt, now), desc(refusals.id))
    .limit(rows)
    .offset(rows)
  return db.delete(refusals).where(inArray(refusals.id, older))
}
