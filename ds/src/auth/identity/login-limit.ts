/** How many sign-ins of an account become a session on a day: each is an entry in the audit, which is never removed. */
import { Problem } from '@cardwire/client/protocol'
import type { Database } from '../../db/database.ts'
import { prepareQuota } from '../../db/quota.ts'
import type { Clock } from '../../ports.ts'

const dayMs = 86_400_000

const maxLoginsPerDay = 10_000

/** Counts a sign-in of this account; throws `too-many-requests` when it has signed in too often today (UTC). */
export type LimitLogins = (account: string) => Promise<void>

export function createLoginLimit({
  db,
  clock,
}: {
  readonly db: Database
  readonly clock: Clock
}): LimitLogins {
  const consumeQuota = prepareQuota(db)
  return async (account) => {
    const day = Math.floor(clock() / dayMs)
    if (await consumeQuota({ subject: `logins of ${account}`, day }, maxLoginsPerDay)) return
    const retryAfterS = Math.ceil(((day + 1) * dayMs - clock()) / 1000)
    throw new Problem(
      'too-many-requests',
      `Cannot sign in: this account has signed in ${maxLoginsPerDay} times today, try again in ${retryAfterS} s`,
      { retryAfterS },
    )
  }
}
