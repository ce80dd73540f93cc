/** Selects one page of a table, with the total of all rows. */
import type { SQL } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Database, Reader } from '../db/database.ts'

interface Paging {
  readonly page: number
  readonly size: number
}

export async function selectPage<T extends SQLiteTable>(
  db: Reader,
  table: T,
  { page, size }: Paging,
  where: SQL | undefined,
  order: readonly (SQL | SQLiteColumn)[],
): Promise<{ items: T['$inferSelect'][]; page: number; size: number; total: number }> {
  const items = await db
    .select()
    .from(table as SQLiteTable)
    .where(where)
    .orderBy(...order)
    .limit(size)
    .offset((page - 1) * size)
  const total = await db.$count(table, where)
  return { items: items as T['$inferSelect'][], page, size, total }
}

/** Whether a column contains `text`, in any case of ASCII letters; undefined for every row. */
export const containsText = (
  { sqlDialect }: Database,
  column: SQLiteColumn,
  text: string | undefined,
): SQL | undefined => (text === undefined ? undefined : sqlDialect.contains(column, text))

/** The times of a row as the API writes them. */
export const toTimestamps = (row: { readonly createdAt: number; readonly updatedAt: number }) => ({
  createdAt: new Date(row.createdAt).toISOString(),
  updatedAt: new Date(row.updatedAt).toISOString(),
})
