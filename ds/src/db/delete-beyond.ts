/** Bounds a table to which others add rows: the oldest ones go, and before them those that were stored while the clock was ahead. */
import { and, desc, lte, or, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { nodeClockSkewS } from '../rules/steady-clock.ts'
import type { Database } from './database.ts'

/** The latest time at which a row is beyond the newest `keep` of those that `where` selects; null when there are fewer. */
const selectTimeBeyond = (
  db: Database,
  table: SQLiteTable,
  time: SQLiteColumn,
  keep: number,
  where?: SQL,
): SQL =>
  sql`(${db.select({ time }).from(table).where(where).orderBy(desc(time)).limit(1).offset(keep)})`

interface Bound {
  /** How many of the newest rows stay. */
  readonly keep: number
  /** The latest time that a row can have now; absent where later ones are as good. */
  readonly latest?: number
  readonly where?: SQL
}

/** Whether a row is beyond those that stay. Those with a later time than `latest` would be the newest until the clock is there again. */
export function isBeyond(
  db: Database,
  table: SQLiteTable,
  time: SQLiteColumn,
  { keep, latest, where }: Bound,
): SQL | undefined {
  const isOld = (of: SQL | undefined) =>
    sql`${time} <= ${selectTimeBeyond(db, table, time, keep, of)}`
  if (latest === undefined) return and(where, isOld(where))
  const areTooMany = sql`${selectTimeBeyond(db, table, time, keep, where)} is not null`
  const isLater = sql`${time} > ${latest}`
  return and(where, or(isOld(and(where, lte(time, latest))), and(isLater, areTooMany)))
}

/** The statement that deletes them. Needs an index that ends with `time`. */
export const deleteBeyond = (db: Database, table: SQLiteTable, time: SQLiteColumn, bound: Bound) =>
  db.delete(table).where(isBeyond(db, table, time, bound))

/** The order for a table of few and short rows, of which the last ones go. `now`: milliseconds since 1970. */
export const newestFirst = (time: SQLiteColumn, now: number): [SQL, SQL] => [
  sql`case when ${time} > ${now + nodeClockSkewS * 1000} then 1 else 0 end`,
  desc(time),
]
