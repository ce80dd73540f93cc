/** Records refused sign-ins: each in the log, and some of each day in the audit, which is never emptied. */
import { and, sql } from 'drizzle-orm'
import { type AuditSource, createAudit, createUnknownSource, exists } from '../../db/audit.ts'
import type { Database } from '../../db/database.ts'
import { describeError } from '../../db/describe-error.ts'
import { createQuotaStatement, isWithinQuota } from '../../db/quota.ts'
import { administrators } from '../../db/schema.ts'
import type { Clock, Log } from '../../ports.ts'
import { isNamed } from './account-row.ts'

/** Of an account, on a day (UTC). */
const maxEntries = 100
const dayMs = 86_400_000

export interface RefusedLogin {
  readonly from: { readonly address: string; readonly requestId: string }
  /** As it was typed: it may be anything, such as the password. */
  readonly typedName: string
  /** Whether there is an account with that name. Nothing of the name is recorded otherwise. */
  readonly isKnown: boolean
  /** What was wrong or missing. */
  readonly field: 'password' | 'secondFactor' | 'recoveryCode'
  /** Who has signed in already, and changes the own account. */
  readonly identity?: AuditSource['identity']
}

interface RecordServices {
  readonly db: Database
  readonly clock: Clock
  readonly log: Log
}

/** Does not throw: the sign-in is refused whether it is recorded or not. */
export function createRefusalRecord({ db, clock, log }: RecordServices) {
  return async ({ from, typedName, isKnown, field, identity }: RefusedLogin): Promise<void> => {
    const { address, requestId } = from
    log.warn('login refused', { address, requestId, field, ...(isKnown && { account: typedName }) })
    const source: AuditSource = identity
      ? { identity, address, requestId }
      : createUnknownSource(from)
    const quota = {
      subject: isKnown ? `refused logins of ${typedName}` : 'refused logins without an account',
      day: Math.floor(clock() / dayMs),
    }
    // The same statements for names that exist and names that do not, and something is stored for both: a transaction without a change
    // is over some milliseconds sooner, because nothing has to be on disk.
    const isAccount = exists(administrators, isNamed(typedName))
    try {
      await db.batch([
        createAudit({ db, clock }, 'logInRefused', source)
          .createEntry('administrator', typedName, [field])
          .toStatement(and(isAccount, isWithinQuota(quota, 1, maxEntries))),
        createQuotaStatement(db, quota, 1, sql`1 = 1`),
      ])
    } catch (error) {
      log.warn('refused login not recorded', { error: describeError(error) })
    }
  }
}
