/** The row of an account of the embedded identity provider. */
import { Problem } from '@cardwire/protocol'
import { and, eq, type SQL } from 'drizzle-orm'
import type { Database } from '../../db/database.ts'
import { administrators } from '../../db/schema.ts'
import type { Clock, Passwords } from '../../ports.ts'

export type Account = typeof administrators.$inferSelect

export interface AccountServices {
  readonly db: Database
  readonly clock: Clock
  readonly passwords: Passwords
}

export interface PasswordOptions {
  /** Whether the owner keeps the password: only the owner knows it, or the owner is a program. */
  readonly keeps?: boolean
}

export const isNamed = (name: string) => eq(administrators.name, name)

/** Throws `administrator-unknown`. */
export async function findAccount(db: Database, name: string): Promise<Account> {
  const [row] = await db.select().from(administrators).where(isNamed(name))
  if (!row) throw createUnknownProblem(name)
  return row
}

/** The statement that changes an account. */
export const updateAccount = (
  { db, clock }: Pick<AccountServices, 'db' | 'clock'>,
  name: string,
  set: Partial<Account>,
  when?: SQL,
) =>
  db
    .update(administrators)
    .set({ ...set, updatedAt: clock() })
    .where(and(isNamed(name), when))
    .returning()

export const createUnknownProblem = (name: string) =>
  new Problem('administrator-unknown', `Cannot find "${name}": there is no such administrator`)
