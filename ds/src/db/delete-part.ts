/** Deletes very many rows in parts: on SQLite, all other requests wait for a statement that changes rows. */
import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Database } from './database.ts'

/** The most rows of a part: 0.1 s of SQLite, which finds them all over its file. */
export const rowsPerPart = 1000

/** The statement that deletes a part of the rows that `where` selects, and returns them. `key`: the columns that say which row it is. */
export function deletePart(
  db: Database,
  table: SQLiteTable,
  key: Readonly<Record<string, SQLiteColumn>>,
  where: SQL,
) {
  const part = db.select(key).from(table).where(where).limit(rowsPerPart)
  const columns = sql.join(Object.values(key), sql`, `)
  return db.delete(table).where(sql`(${columns}) in ${part}`).returning(key)
}
