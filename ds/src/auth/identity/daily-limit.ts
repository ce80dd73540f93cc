/** How often an account does something on a day that writes an entry into the audit, which is never removed. */
import { Problem } from '@cardwire/protocol'
import { sql } from 'drizzle-orm'
import type { Database } from '../../db/database.ts'
import { createQuotaStatement, prepareQuota, readQuota } from '../../db/quota.ts'
import type { Clock } from '../../ports.ts'

const dayMs = 86_400_000

interface Limited {
  /** The quota of an account is named by this and the account. */
  readonly subject: string
  readonly maxPerDay: number
  /** What it does and has done, for the message. */
  readonly act: string
  readonly done: string
}

interface Services {
  readonly db: Database
  readonly clock: Clock
}

const toQuota = ({ subject }: Limited, account: string, now: number) => ({
  subject: `${subject} of ${account}`,
  day: Math.floor(now / dayMs),
})

function createLimitProblem({ act, done, maxPerDay }: Limited, now: number): Problem {
  const retryAfterS = Math.ceil((dayMs - (now % dayMs)) / 1000)
  return new Problem(
    'too-many-requests',
    `Cannot ${act}: this account has ${done} ${maxPerDay} times today, try again in ${retryAfterS} s`,
    { retryAfterS },
  )
}

const logins: Limited = {
  subject: 'logins',
  maxPerDay: 10_000,
  act: 'sign in',
  done: 'signed in',
}

/** Returns a function that counts a sign-in; it throws `too-many-requests` when there were too many today (UTC). */
export function createLoginLimit({ db, clock }: Services): (account: string) => Promise<void> {
  const consumeQuota = prepareQuota(db)
  return async (account) => {
    const now = clock()
    if (await consumeQuota(toQuota(logins, account, now), logins.maxPerDay)) return
    throw createLimitProblem(logins, now)
  }
}

/** Also an account that only reads changes its password and its second factor. */
const ownChanges: Limited = {
  subject: 'own changes',
  maxPerDay: 1000,
  act: 'change the account',
  done: 'changed itself',
}

/**
 * The statement that counts a change, for its batch: as a function, because a statement that is awaited runs. Throws
 * `too-many-requests` when there were too many today (UTC).
 */
export async function prepareOwnChange({ db, clock }: Services, account: string) {
  const now = clock()
  const quota = toQuota(ownChanges, account, now)
  if ((await readQuota(db, quota)) >= ownChanges.maxPerDay)
    throw createLimitProblem(ownChanges, now)
  return () => createQuotaStatement(db, quota, 1, sql`true`)
}
