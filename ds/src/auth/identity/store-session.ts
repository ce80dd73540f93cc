/** Stores the session that a login begins, unless its account has changed meanwhile. */
import { and, eq, type SQL, sql } from 'drizzle-orm'
import { createAudit, exists } from '../../db/audit.ts'
import type { Database } from '../../db/database.ts'
import { deleteBeyond } from '../../db/delete-beyond.ts'
import { insertWhere } from '../../db/insert-where.ts'
import { administrators, type browserSessions, sessions } from '../../db/schema.ts'
import type { Clock } from '../../ports.ts'
import type { Account } from './account-row.ts'
import type { BrowserSessions } from './browser-sessions.ts'
import { createLoginLimit } from './daily-limit.ts'
import { createGrantRefusedProblem } from './grant-refused.ts'
import type { LoginAttempts } from './login-attempts.ts'
import type { LoginSource } from './provider.ts'
import { hasSecondFactor, lacksSecondFactor } from './second-factor.ts'
import { isProgramSessionValid } from './session-validity.ts'

interface SessionStoreServices {
  readonly db: Database
  readonly clock: Clock
  readonly browserSessions: BrowserSessions
}

type SessionTable = typeof sessions | typeof browserSessions

export function createSessionStore(
  services: SessionStoreServices,
  issuer: string,
  attempts: LoginAttempts,
) {
  const { db, clock } = services
  const limitLogins = createLoginLimit(services)

  return storeSession

  /**
   * Stores what a login begins, writes it into the audit, and forgets what is over. Throws `grant-refused` when the
   * password or the second factor was changed, or the account removed, while they were compared; `too-many-requests` when
   * the account has logged in too often today.
   */
  async function storeSession<T extends SessionTable>(
    account: Account,
    table: T,
    row: T['$inferInsert'],
    { address, requestId }: LoginSource,
    operation: string,
  ): Promise<void> {
    const { name } = account
    const isUnchanged = exists(administrators, hasCredentials(account))
    const identity = { subject: name, issuer, name }
    const audit = createAudit(services, operation, { identity, address, requestId })
    const ofAccount = eq(sessions.administrator, name)
    await attempts.complete(name, address, async (forget) => {
      await limitLogins(name)
      const [begun] = await db.batch([
        insertWhere(db, table, row, isUnchanged),
        audit
          .createEntry('administrator', name, ['session'])
          .toStatement(exists(table, eq(table.id, row.id))),
        db.delete(sessions).where(sql`not (${isProgramSessionValid(clock())})`),
        deleteBeyond(db, sessions, sessions.createdAt, { keep: maxSessions, where: ofAccount }),
        services.browserSessions.deleteExpired(),
        services.browserSessions.deleteBeyond({ subject: name, isLocal: true }),
        forget,
      ])
      if (begun.length === 0) throw createGrantRefusedProblem('user name or password')
    })
  }
}

/** Of an account, in programs. The oldest ones end. */
const maxSessions = 1000

/** Whether a row still has the password and the second factor that were compared. */
function hasCredentials(account: Account): SQL | undefined {
  const { name, passwordHash, totpSecret } = account
  return and(
    eq(administrators.name, name),
    eq(administrators.passwordHash, passwordHash),
    hasSecondFactor(account) && totpSecret !== null
      ? eq(administrators.totpSecret, totpSecret)
      : lacksSecondFactor,
  )
}
