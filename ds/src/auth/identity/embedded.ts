/** The identity provider that the service carries for installations without one. */
import { issueToken, realm, tokenKinds } from '@cardwire/client/protocol'
import { and, eq, getTableColumns, lt, type SQL, sql } from 'drizzle-orm'
import { errors } from 'jose'
import { createAudit, exists } from '../../db/audit.ts'
import type { Database } from '../../db/database.ts'
import { administrators, type browserSessions, loginDelays, sessions } from '../../db/schema.ts'
import type { Clock, Limits, Log, Passwords, Random } from '../../ports.ts'
import type { Keyring } from '../keys/keyring.ts'
import type { Vault } from '../keys/vault.ts'
import { enforceLimit } from '../rate-limit.ts'
import type { BrowserSessions } from './browser-sessions.ts'
import { enforceLoginDelay, isLoginDelayOf } from './login-delay.ts'
import { createLoginPace } from './login-pace.ts'
import type { EmbeddedProvider, IdentityProvider } from './provider.ts'
import { findSessionRole } from './session-role.ts'
import { createGrantRefusedProblem, createSessionTokens } from './session-tokens.ts'

/** The lifetime of a session in milliseconds. */
const sessionLifetimeMs = 36_000_000

interface Parts {
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

export function createEmbeddedProvider(parts: Parts): IdentityProvider {
  const { db, clock, random, keyring, passwords, limits, log } = parts
  const issuer = `${parts.url}/auth/realms/${realm}`
  const tokens = createSessionTokens(parts, issuer)
  const pace = createLoginPace(parts)

  const embedded: EmbeddedProvider = {
    issuer,
    async login(name, password, from) {
      const account = await authenticate(name, password, from.address)
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
    async logInBrowser(name, password, { userAgent, ...from }) {
      const account = await authenticate(name, password, from.address)
      const { cookie, row } = await parts.browserSessions.prepare({
        administrator: account.name,
        subject: account.name,
        name: account.name,
        address: from.address,
        userAgent,
      })
      await storeSession(account, parts.browserSessions.table, row, from, 'logInBrowser')
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
      return { name: sub, subject: sub, issuer, role }
    },
  }

  /** The account with this password. Throws `grant-refused`, or `too-many-requests`. */
  async function authenticate(name: string, password: string, address: string): Promise<Account> {
    await pace.begin(address)
    await enforceLoginDelay(parts, name, address)
    const [account] = await db.select().from(administrators).where(eq(administrators.name, name))
    if ((await passwords.verify(password, account?.passwordHash)) && account) return account
    log.warn('login refused', { address })
    await enforceLimit(limits, 'failure', address, 'log in')
    throw createGrantRefusedProblem('user name or password')
  }

  /**
   * Stores what a login begins, writes it into the audit, and forgets what is over. Throws `grant-refused` when the
   * password was changed, or the account removed, while the password was compared.
   */
  async function storeSession<T extends SessionTable>(
    account: Account,
    table: T,
    row: T['$inferInsert'],
    { address, requestId }: { readonly address: string; readonly requestId: string },
    operation: string,
  ): Promise<void> {
    const { name, passwordHash } = account
    const isUnchanged = exists(
      administrators,
      and(eq(administrators.name, name), eq(administrators.passwordHash, passwordHash)),
    )
    const identity = { subject: name, issuer, name }
    const audit = createAudit(parts, operation, { identity, address, requestId })
    const [begun] = await db.batch([
      insertWhere(db, table, row, isUnchanged),
      audit
        .createEntry('administrator', name, ['session'])
        .toStatement(exists(table, eq(table.id, row.id))),
      db.delete(sessions).where(lt(sessions.expiresAt, clock())),
      parts.browserSessions.deleteExpired(),
      db.delete(loginDelays).where(isLoginDelayOf(name, address)),
    ])
    if (begun.length === 0) throw createGrantRefusedProblem('user name or password')
    await pace.succeed(address)
  }
}

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
