/** How many devices have used each label in a month, and that months keep only these counts in the end. */
import { countDistinct, eq, lt, sql } from 'drizzle-orm'
import { toFirstOpenMonth } from '../rules/months.ts'
import type { Database, Reader } from './database.ts'
import { deletePart } from './delete-part.ts'
import { labels, useDevices, useKeys, useMonths } from './schema.ts'

type MonthCount = Omit<typeof useMonths.$inferSelect, 'month'>

/** The devices of a month; undefined where they were not counted. */
export async function countDevices(
  reader: Reader,
  month: string,
  now: number,
): Promise<readonly MonthCount[] | undefined> {
  const stored = await reader.select().from(useMonths).where(eq(useMonths.month, month))
  if (stored.length > 0) return stored
  const counted = await countRows(reader, month)
  const isCounted = month >= toFirstOpenMonth(now) || counted.some(({ devices }) => devices > 0)
  return isCounted ? counted : undefined
}

/** From the rows of the devices. */
async function countRows(reader: Reader, month: string): Promise<readonly MonthCount[]> {
  const isOfMonth = eq(useDevices.month, month)
  // A count is text in PostgreSQL.
  // Empty for none, as of labels that were removed.
  const orgId = sql<string>`coalesce(${labels.orgId}, '')`
  const devices = countDistinct(useDevices.hash).mapWith(Number)
  const ofLabels = await reader
    .select({ id: useDevices.label, devices: sql`count(*)`.mapWith(Number) })
    .from(useDevices)
    .where(isOfMonth)
    .groupBy(useDevices.label)
  const ofOrganizations = await reader
    .select({ id: orgId, devices })
    .from(useDevices)
    .leftJoin(labels, eq(labels.id, useDevices.label))
    .where(isOfMonth)
    .groupBy(orgId)
  const total = await reader.select({ devices }).from(useDevices).where(isOfMonth)
  return [
    ...ofLabels.map((row) => ({ scope: 'label' as const, ...row })),
    ...ofOrganizations.map((row) => ({ scope: 'organization' as const, ...row })),
    ...total.map((row) => ({ scope: 'total' as const, id: '', ...row })),
  ]
}

/**
 * Folds the oldest month that is over for more than a month to its counts, and deletes a part of its rows. Resolves with
 * whether there may be more.
 */
export async function foldMonth(
  { db, reader }: { readonly db: Database; readonly reader: Reader },
  now: number,
): Promise<boolean> {
  const firstMonth = toFirstOpenMonth(now)
  const { month, hash, label } = useDevices
  const [oldest] = await db
    .select({ month })
    .from(useDevices)
    .where(lt(month, firstMonth))
    .orderBy(month)
    .limit(1)
  if (!oldest) {
    await db.delete(useKeys).where(lt(useKeys.month, firstMonth))
    return false
  }
  const isFolded = await db.$count(useMonths, eq(useMonths.month, oldest.month))
  if (!isFolded) await storeCounts(db, oldest.month, await countRows(reader, oldest.month))
  await deletePart(db, useDevices, { month, hash, label }, sql`${month} = ${oldest.month}`)
  return true
}

/** All counts of a month, or none where another process has stored them: it may have deleted rows that were not counted. */
async function storeCounts(db: Database, month: string, counts: readonly MonthCount[]) {
  const field = (name: keyof MonthCount) => sql.raw(`counted.value ->> '${name}'`)
  const isStored = sql`select 1 from ${useMonths} where ${useMonths.month} = ${month}`
  await db.batch([
    db
      .insert(useMonths)
      .select(sql`
        select cast(${month} as text), ${field('scope')}, ${field('id')}, cast(${field('devices')} as bigint)
        from ${db.sqlDialect.eachObject(JSON.stringify(counts))} as counted
        where not exists (${isStored})`)
      .onConflictDoNothing(),
    db.delete(useKeys).where(eq(useKeys.month, month)),
  ])
}
