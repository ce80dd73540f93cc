/** A login with a password: checks the credentials, and stores the session that begins. */
import { Problem } from '@cardwire/client/protocol'
import { and, eq, getTableColumns, lt, type SQL, sql } from 'drizzle-orm'
import { createAudit, exists } from '../../db/audit.ts'
import type { Database } from '../../db/database.ts'
import { deleteBeyond } from '../../db/delete-beyond.ts'
import { prepareQuota } from '../../db/quota.ts'
import { administrators, type browserSessions, sessions } from '../../db/schema.ts'
import type { Clock, Passwords, Random } from '../../ports.ts'
import type { Vault } from '../keys/vault.ts'
import type { Account } from './account-row.ts'
import type { BrowserSessions } from './browser-sessions.ts'
import type { LoginAttempts } from './login-attempts.ts'
import type { Credentials, LoginSource } from './provider.ts'
import { createSecondFactor, hasSecondFactor, lacksSecondFactor } from './second-factor.ts'
import { createGrantRefusedProblem } from './session-tokens.ts'

interface PasswordLoginServices {
  readonly url: string
  readonly db: Database
  readonly clock: Clock
  readonly random: Random
  readonly vault: Vault
  readonly passwords: Passwords
  readonly browserSessions: BrowserSessions
}

const dayMs = 86_400_000

type SessionTable = typeof sessions | typeof browserSessions

export function createPasswordLogin(
  services: PasswordLoginServices,
  issuer: string,
  attempts: LoginAttempts,
) {
  const { db, clock, passwords } = services
  const secondFactor = createSecondFactor(services)

  const consumeQuota = prepareQuota(db)

  return { authenticate, storeSession }

  async function limitLogins(name: string): Promise<void> {
    const day = Math.floor(clock() / dayMs)
    if (await consumeQuota({ subject: `logins of ${name}`, day }, maxLoginsPerDay)) return
    const retryAfterS = Math.ceil(((day + 1) * dayMs - clock()) / 1000)
    throw new Problem(
      'too-many-requests',
      `Cannot log in: this account has logged in ${maxLoginsPerDay} times today, try again in ${retryAfterS} s`,
      { retryAfterS },
    )
  }

  /** The account with these credentials. Throws `grant-refused`, `second-factor-required` or `too-many-requests`. */
  async function authenticate(
    { name, password, code }: Credentials,
    address: string,
  ): Promise<Account> {
    const account = await attempts.count(name, address, async () => {
      const [found] = await db.select().from(administrators).where(eq(administrators.name, name))
      return (await passwords.verify(password, found?.passwordHash)) ? found : undefined
    })
    if (!account)
      return attempts.refuse(address, createGrantRefusedProblem('user name or password'))
    if (!hasSecondFactor(account)) return account
    // The attempt stays counted: whoever knows the password guesses codes no faster by leaving some out.
    if (code === undefined) throw createCodeMissingProblem()
    if (await secondFactor.accept(account, code)) return account
    return attempts.refuse(address, createGrantRefusedProblem('code'))
  }

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
    const { name, passwordHash, totpSecret } = account
    await limitLogins(name)
    const isUnchanged = exists(
      administrators,
      and(
        eq(administrators.name, name),
        eq(administrators.passwordHash, passwordHash),
        hasSecondFactor(account) && totpSecret !== null
          ? eq(administrators.totpSecret, totpSecret)
          : lacksSecondFactor,
      ),
    )
    const identity = { subject: name, issuer, name }
    const audit = createAudit(services, operation, { identity, address, requestId })
    const [begun] = await db.batch([
      insertWhere(db, table, row, isUnchanged),
      audit
        .createEntry('administrator', name, ['session'])
        .toStatement(exists(table, eq(table.id, row.id))),
      db.delete(sessions).where(lt(sessions.expiresAt, clock())),
      deleteBeyond(db, sessions, sessions.createdAt, maxSessions, eq(sessions.administrator, name)),
      services.browserSessions.deleteExpired(),
      services.browserSessions.deleteBeyond(name),
      attempts.forget(name, address),
    ])
    if (begun.length === 0) throw createGrantRefusedProblem('user name or password')
    await attempts.succeed(address)
  }
}

/** Of an account, in programs. The oldest ones end. */
const maxSessions = 1000

/** Of an account on a day: each is an entry in the audit, which is never removed. */
const maxLoginsPerDay = 10_000

const createCodeMissingProblem = () =>
  new Problem(
    'second-factor-required',
    'Cannot log in: the account has a second factor, send its code in "totp"',
  )

/** Inserts a row when a condition holds; returns it then. */
const insertWhere = (
  db: Database,
  table: SessionTable,
  row: Readonly<Record<string, unknown>>,
  when: SQL,
) => {
  const values = Object.keys(getTableColumns(table)).map((name) => sql`${row[name] ?? null}`)
  return db
    .insert(table)
    .select(sql`select ${sql.join(values, sql`, `)} where ${when}`)
    .returning()
}
