/** One page of a query, with the total of all. */
import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Database } from '../db/database.ts'

interface Paging {
  readonly page: number
  readonly size: number
}

export async function pageOf<T extends SQLiteTable>(
  db: Database,
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

/** Rows whose column holds `text` somewhere, whatever the case of ASCII letters. Not LIKE: D1 takes 50 bytes of pattern. */
export const contains = (column: SQLiteColumn, text: string | undefined): SQL | undefined =>
  text === undefined ? undefined : sql`instr(lower(${column}), lower(${text})) > 0`

/** The times of a row as the API writes them. */
export const times = (row: { readonly createdAt: number; readonly updatedAt: number }) => ({
  createdAt: new Date(row.createdAt).toISOString(),
  updatedAt: new Date(row.updatedAt).toISOString(),
})
