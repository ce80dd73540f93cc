/** Makes logins of an account from one address wait longer after each failure. */
import { Problem } from '@cardwire/protocol'
import { and, eq, gt, lte, or, type SQL, sql } from 'drizzle-orm'
import type { Database } from '../../db/database.ts'
import { loginDelays } from '../../db/schema.ts'
import type { Clock } from '../../ports.ts'
import { getLoginDelayS } from '../../rules/login-delay.ts'
import { nodeClockSkewS } from '../../rules/steady-clock.ts'
import { createAddressCleanup } from './login-delay-cleanup.ts'

/** The row of an account and an address: nobody can slow the logins of somebody elsewhere. */
export const isLoginDelayOf = (account: string, address: string): SQL | undefined =>
  and(eq(loginDelays.account, account), eq(loginDelays.address, address))

interface DelayServices {
  readonly db: Database
  readonly clock: Clock
}

/** A login that was counted as failed. */
export type CountedLogin = typeof loginDelays.$inferSelect

/**
 * Throws `too-many-requests` before the account's next login is due. Counts a login as failed before its password is
 * compared, in one conditional statement, so that many at once wait like many in a row; the caller deletes the row
 * after a success.
 */
export async function enforceLoginDelay(
  { db, clock }: DelayServices,
  account: string,
  address: string,
): Promise<CountedLogin> {
  const now = clock()
  const ofCaller = isLoginDelayOf(account, address)
  // A time further off than the delay was stored while the clock was ahead: the delay counts from the next login on. One that
  // is a little further off is that of another node, or of a login that began later.
  const isDue = or(
    lte(loginDelays.notBefore, now),
    gt(
      loginDelays.notBefore,
      sql`cast(${now + nodeClockSkewS * 1000} as bigint) + ${selectDelayMs(0)}`,
    ),
  )
  await db.batch([
    createAddressCleanup(db, address, now),
    db
      .insert(loginDelays)
      .values({ account, address, failures: 0, notBefore: now })
      .onConflictDoNothing(),
  ])
  const [counted] = await db
    .update(loginDelays)
    .set({
      failures: sql`${loginDelays.failures} + 1`,
      notBefore: sql`cast(${now} as bigint) + ${selectDelayMs(1)}`,
    })
    .where(and(ofCaller, isDue))
    .returning()
  if (counted) return counted
  const [waiting] = await db.select().from(loginDelays).where(ofCaller)
  const retryAfterS = Math.max(1, Math.ceil(((waiting?.notBefore ?? now) - now) / 1000))
  throw new Problem('too-many-requests', `Cannot sign in: try again in ${retryAfterS} s`, {
    retryAfterS,
  })
}

/**
 * Takes one back that compared nothing. The next login is due at once, unless another one was counted meanwhile. No row stays without a
 * failure: such rows cost no hash, and would push out the failures of others (login-delay-cleanup.ts).
 */
export async function takeBackLogin(
  { db, clock }: DelayServices,
  { account, address, notBefore }: CountedLogin,
): Promise<void> {
  const { failures } = loginDelays
  const ofCaller = isLoginDelayOf(account, address)
  await db.batch([
    db.delete(loginDelays).where(and(ofCaller, lte(failures, 1))),
    db
      .update(loginDelays)
      .set({
        failures: sql`${failures} - 1`,
        notBefore: sql`case when ${loginDelays.notBefore} = ${notBefore} then cast(${clock()} as bigint) else ${loginDelays.notBefore} end`,
      })
      .where(ofCaller),
  ])
}

/** The delay after the failures so far, or one more, in milliseconds: the rule of `getLoginDelayS` as SQL. */
function selectDelayMs(more: 0 | 1) {
  const steps = Array.from({ length: 14 }, (_, failures) => failures)
  const toMs = (failures: number) => sql.raw(String(getLoginDelayS(failures + more) * 1000))
  const cases = steps.map(
    (failures) =>
      sql`when ${loginDelays.failures} = ${sql.raw(String(failures))} then ${toMs(failures)}`,
  )
  return sql<number>`case ${sql.join(cases, sql` `)} else ${toMs(steps.length)} end`
}
