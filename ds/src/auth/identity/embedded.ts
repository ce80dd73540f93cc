/** The identity provider that the service carries for installations without one. */
import { issueToken, Problem, realm, tokenKinds } from '@cardwire/client/protocol'
import { and, eq, getTableColumns, lt, type SQL, sql } from 'drizzle-orm'
import { errors } from 'jose'
import { createAudit, exists } from '../../db/audit.ts'
import type { Database } from '../../db/database.ts'
import { administrators, type browserSessions, sessions } from '../../db/schema.ts'
import type { Clock, Limits, Log, Passwords, Random } from '../../ports.ts'
import type { Keyring } from '../keys/keyring.ts'
import type { Vault } from '../keys/vault.ts'
import type { BrowserSessions } from './browser-sessions.ts'
import { createLoginAttempts } from './login-attempts.ts'
import type { Credentials, EmbeddedProvider, IdentityProvider, LoginSource } from './provider.ts'
import { createSecondFactor, hasSecondFactor, lacksSecondFactor } from './second-factor.ts'
import { findSessionRole } from './session-role.ts'
import { createGrantRefusedProblem, createSessionTokens } from './session-tokens.ts'

/** The lifetime of a session in milliseconds. */
const sessionLifetimeMs = 36_000_000

interface EmbeddedProviderServices {
  readonly url: string
  readonly db: Database
  readonly clock: Clock
  readonly random: Random
  readonly vault: Vault
  readonly keyring: Keyring
  readonly passwords: Passwords
  readonly limits: Limits
  readonly log: Log
  readonly browserSessions: BrowserSessions
}

type Account = typeof administrators.$inferSelect
type SessionTable = typeof sessions | typeof browserSessions

export function createEmbeddedProvider(services: EmbeddedProviderServices): IdentityProvider {
  const { db, clock, random, keyring, passwords, log } = services
  const issuer = `${services.url}/auth/realms/${realm}`
  const tokens = createSessionTokens(services, issuer)
  const attempts = createLoginAttempts(services)
  const secondFactor = createSecondFactor(services)

  const embedded: EmbeddedProvider = {
    issuer,
    attempts,
    async login(credentials, from) {
      const account = await authenticate(credentials, from.address)
      const now = clock()
      const session = {
        id: random.uuid(),
        administrator: account.name,
        generation: 1,
        expiresAt: now + sessionLifetimeMs,
        createdAt: now,
      }
      await storeSession(account, sessions, session, from, issueToken.name)
      return tokens.issue(session)
    },
    async logInBrowser(credentials, { userAgent, ...from }) {
      const account = await authenticate(credentials, from.address)
      const { cookie, row } = await services.browserSessions.prepare({
        administrator: account.name,
        subject: account.name,
        name: account.name,
        address: from.address,
        userAgent,
      })
      await storeSession(account, services.browserSessions.table, row, from, 'logInBrowser')
      return cookie
    },
    issueAccessToken: async (session) => (await tokens.issueAccessToken(session)).token,
    async refresh(token) {
      const { id, generation } = await tokens.verifyRefreshToken(token)
      const [session] = await db
        .update(sessions)
        .set({ generation: generation + 1 })
        .where(and(eq(sessions.id, id), eq(sessions.generation, generation)))
        .returning()
      if (session && session.expiresAt > clock()) return tokens.issue(session)
      const [ended] = await db.delete(sessions).where(eq(sessions.id, id)).returning()
      if (ended) {
        const reason = session ? 'expired' : 'a refresh token was used twice'
        log.warn('session ended', { session: id, reason })
      }
      throw createGrantRefusedProblem('refresh token')
    },
    async logout(token) {
      const { id } = await tokens.verifyRefreshToken(token)
      await db.delete(sessions).where(eq(sessions.id, id))
    },
  }

  return {
    embedded,
    async identify(token) {
      const { typ, audience } = tokenKinds.administrator
      const claims = await keyring.verify('administrator', token, { typ, issuer, audience })
      const { sub = '', sid } = claims
      // What ends a session, or changes a role, has effect on the tokens that are out.
      const role = await findSessionRole(db, sub, String(sid))
      if (role === undefined)
        throw new errors.JWTClaimValidationFailed('the session has ended', claims, 'sid')
      return { name: sub, subject: sub, issuer, session: String(sid), role }
    },
  }

  /** The account with these credentials. Throws `grant-refused`, `second-factor-required` or `too-many-requests`. */
  async function authenticate(
    { name, password, code }: Credentials,
    address: string,
  ): Promise<Account> {
    await attempts.begin(name, address)
    const [account] = await db.select().from(administrators).where(eq(administrators.name, name))
    if (!(await passwords.verify(password, account?.passwordHash)) || !account)
      return attempts.refuse(address, createGrantRefusedProblem('user name or password'))
    if (!hasSecondFactor(account)) return account
    // The attempt stays counted: whoever knows the password guesses codes no faster by leaving some out.
    if (code === undefined) throw createCodeMissingProblem()
    if (await secondFactor.accept(account, code)) return account
    return attempts.refuse(address, createGrantRefusedProblem('code'))
  }

  /**
   * Stores what a login begins, writes it into the audit, and forgets what is over. Throws `grant-refused` when the
   * password or the second factor was changed, or the account removed, while they were compared.
   */
  async function storeSession<T extends SessionTable>(
    account: Account,
    table: T,
    row: T['$inferInsert'],
    { address, requestId }: LoginSource,
    operation: string,
  ): Promise<void> {
    const { name, passwordHash, totpSecret } = account
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
      services.browserSessions.deleteExpired(),
      attempts.forget(name, address),
    ])
    if (begun.length === 0) throw createGrantRefusedProblem('user name or password')
    await attempts.succeed(address)
  }
}

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
