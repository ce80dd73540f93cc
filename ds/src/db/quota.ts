/** Limits of what may be used on a day (UTC), counted in the database, so that every runtime and every restart keeps them. */
import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { Database } from './database.ts'
import { deletePart } from './delete-part.ts'
import { quotas } from './schema.ts'

export interface Quota {
  /** What is limited, and whose limit it is. */
  readonly subject: string
  /** Days since 1970, UTC. */
  readonly day: number
}

/** Takes one back that was counted. */
export const createQuotaRefund = (db: Database, { subject, day }: Quota) =>
  db
    .update(quotas)
    .set({ used: sql`${quotas.used} - 1` })
    .where(and(eq(quotas.subject, subject), eq(quotas.day, day)))

/** Counts one; false when `limit` were counted on that day already. */
type ConsumeQuota = (quota: Quota, limit: number) => Promise<boolean>

/** The statement is built once. */
export function prepareQuota(db: Database): ConsumeQuota {
  const count = db
    .insert(quotas)
    .values({ subject: sql.placeholder('subject'), day: sql.placeholder('day'), used: 1 })
    .onConflictDoUpdate({
      target: [quotas.subject, quotas.day],
      set: { used: sql`${quotas.used} + 1` },
      setWhere: sql`${quotas.used} < ${sql.placeholder('limit')}`,
    })
    .returning({ used: quotas.used })
    .prepare()
  return async ({ subject, day }, limit) => (await count.all({ subject, day, limit })).length > 0
}

/** How much was counted on that day. */
export async function readQuota(db: Database, { subject, day }: Quota): Promise<number> {
  const [row] = await db
    .select({ used: quotas.used })
    .from(quotas)
    .where(and(eq(quotas.subject, subject), eq(quotas.day, day)))
  return row?.used ?? 0
}

/** Whether `amount` more are within `limit`, as SQL. */
export const isWithinQuota = ({ subject, day }: Quota, amount: number, limit: number): SQL =>
  sql`coalesce((select ${quotas.used} from ${quotas}
    where ${quotas.subject} = ${subject} and ${quotas.day} = ${day}), 0) + ${amount} <= ${limit}`

/** The statement that counts `amount` more, if `condition` holds; returns a row then. */
export const createQuotaStatement = (
  db: Database,
  { subject, day }: Quota,
  amount: number,
  condition: SQL,
) =>
  db
    .insert(quotas)
    .select(sql`select ${subject}, ${day}, ${amount} where ${condition}`)
    .onConflictDoUpdate({
      target: [quotas.subject, quotas.day],
      set: { used: sql`${quotas.used} + excluded.used` },
    })
    .returning()

/** The statement that deletes a part of what was counted on other days. It reads none of the rows of today. */
export function createQuotaCleanup(db: Database, today: number) {
  const { day, subject } = quotas
  return deletePart(db, quotas, { day, subject }, sql`(${day} < ${today} or ${day} > ${today})`)
}
