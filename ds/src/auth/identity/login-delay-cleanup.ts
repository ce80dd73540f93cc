/** Bounds the counted failures of logins, to which any stranger adds some. */
import { eq, lte, or, sql } from 'drizzle-orm'
import type { Database } from '../../db/database.ts'
import { deleteBeyond, isBeyond } from '../../db/delete-beyond.ts'
import { loginDelays } from '../../db/schema.ts'
import type { Clock } from '../../ports.ts'
import { forgetAfterS, maxDelayS } from '../../rules/login-delay.ts'
import { nodeClockSkewS } from '../../rules/steady-clock.ts'

/**
 * Those go whose delay ended longest ago, so a delay that lasts stays. Pushing out the failures of an account takes more time
 * than the longest delay: an address that fails so often is slowed to one login a second, all together to 20 hashes.
 */
const maxRows = { ofAddress: 1000, total: 20_000 } as const

/** Removed at once: a flood is worked off in parts. */
const rowsPerCleanup = 10_000
const cleanupIntervalMs = 60_000

/** No delay that begins now ends later. */
const getLatest = (now: number): number => now + (maxDelayS + nodeClockSkewS) * 1000

/** The statement that removes what an address has too many of. */
export const createAddressCleanup = (db: Database, address: string, now: number) =>
  deleteBeyond(db, loginDelays, loginDelays.notBefore, {
    keep: maxRows.ofAddress,
    latest: getLatest(now),
    where: eq(loginDelays.address, address),
  })

/** Removes, once a minute, what is forgotten, and what there is too much of. */
export function createDelayCleanup({
  db,
  clock,
}: {
  readonly db: Database
  readonly clock: Clock
}): () => Promise<void> {
  let cleanedAt: number | undefined
  return async () => {
    const now = clock()
    if (cleanedAt !== undefined && Math.abs(now - cleanedAt) < cleanupIntervalMs) return
    cleanedAt = now
    const { account, address, notBefore } = loginDelays
    const bound = { keep: maxRows.total, latest: getLatest(now) }
    const isForgotten = lte(notBefore, now - forgetAfterS * 1000)
    const old = db
      .select({ account, address })
      .from(loginDelays)
      .where(or(isForgotten, isBeyond(db, loginDelays, notBefore, bound)))
      .orderBy(notBefore)
      .limit(rowsPerCleanup)
    await db.delete(loginDelays).where(sql`(${account}, ${address}) in ${old}`)
  }
}
