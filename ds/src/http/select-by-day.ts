/** Sums the counts of a table by day. */
import { desc, type SQL, sql } from 'drizzle-orm'
import type { Reader } from '../db/database.ts'
import type { counters, downloads } from '../db/schema.ts'

/** As many days are read, the newest ones. */
const maxDays = 400

export async function selectByDay(
  reader: Reader,
  table: typeof counters | typeof downloads,
  where: SQL | undefined,
) {
  const newest = await reader
    // The sum of whole numbers is text in PostgreSQL.
    .select({ day: table.day, count: sql<number>`sum(${table.count})`.mapWith(Number) })
    .from(table)
    .where(where)
    .groupBy(table.day)
    .orderBy(desc(table.day))
    .limit(maxDays)
  return {
    total: newest.reduce((sum, { count }) => sum + count, 0),
    days: newest.toReversed(),
  }
}
