/** Inserts a row when a condition holds. */
import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Database } from './database.ts'

/** The statement; it returns the row when it was inserted. */
export const insertWhere = <T extends SQLiteTable>(
  db: Database,
  table: T,
  row: T['$inferInsert'],
  when: SQL,
) => {
  const given: Readonly<Record<string, unknown>> = row
  const values = Object.keys(getTableColumns(table)).map((name) => sql`${given[name] ?? null}`)
  return db
    .insert(table)
    .select(sql`select ${sql.join(values, sql`, `)} where ${when}`)
    .returning()
}
