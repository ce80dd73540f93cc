/**
 * Conditions of a batch: where one does not hold by the time the batch runs, nothing of it is stored. What a request has checked before
 * may be past by then. A batch that writes into the audit runs after the one before, on every database.
 */
import { DrizzleQueryError, type SQL, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Database } from './database.ts'
import { PostgresError } from './postgres-error.ts'
import { quotas } from './schema.ts'

/** The statement that fails its batch, unless `holds`: a column that needs a value gets none. */
export const requireInBatch = (db: Database, holds: SQL) =>
  db.insert(quotas).select(sql`select null, 0, 0 where not (${holds})`)

/** The same for a limit, behind the statement that adds: no more than `max` rows match by then. */
export const limitInBatch = (
  db: Database,
  table: SQLiteTable,
  where: SQL | undefined,
  max: number,
) => requireInBatch(db, sql`(select count(*) from ${table} where ${where ?? sql`true`}) <= ${max}`)

/** In place of a text that a row needs: the batch fails where `isPast` holds. */
export const failWhere = (isPast: SQL, text: string): SQL =>
  sql`case when ${isPast} then null else ${text} end`

/** The columns that get no value then, and the tables that have them. */
const columns = { audit: 'operation', quotas: 'subject' } as const

/** Whether a batch has failed because of a condition in this table. */
export function isConditionOf(table: keyof typeof columns, error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    // Drizzle's message repeats the bound values, which may contain any text.
    if (cause instanceof DrizzleQueryError) continue
    // 23502 not_null_violation
    if (cause instanceof PostgresError) return cause.state === '23502' && cause.table === table
    if (cause.message.includes(`NOT NULL constraint failed: ${table}.${columns[table]}`))
      return true
  }
  return false
}

/** Awaits a batch. Where a condition did not hold, throws what `explain` throws or returns instead of the driver's error. */
export async function explainCondition<T>(
  write: PromiseLike<T>,
  explain: () => Error | Promise<Error>,
): Promise<T> {
  try {
    return await write
  } catch (error) {
    throw isConditionOf('quotas', error) ? await explain() : error
  }
}
