/** Bounds a table to which others add rows: the oldest ones go. */
import { and, desc, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Database } from './database.ts'

/** The latest time at which a row is beyond the newest `keep` of those that `where` selects; null when there are fewer. */
export const selectTimeBeyond = (
  db: Database,
  table: SQLiteTable,
  time: SQLiteColumn,
  keep: number,
  where?: SQL,
): SQL =>
  sql`(${db.select({ time }).from(table).where(where).orderBy(desc(time)).limit(1).offset(keep)})`

/** The statement that deletes all but the newest `keep` rows of those that `where` selects. Needs an index that ends with `time`. */
export const deleteBeyond = (
  db: Database,
  table: SQLiteTable,
  time: SQLiteColumn,
  keep: number,
  where?: SQL,
) =>
  db
    .delete(table)
    .where(and(where, sql`${time} <= ${selectTimeBeyond(db, table, time, keep, where)}`))
