/** The identity provider that the service carries for installations without one. */
import { issueToken, realm, tokenKinds } from '@cardwire/client/protocol'
import { and, eq, lt, sql } from 'drizzle-orm'
import { createAudit, exists } from '../../db/audit.ts'
import type { Database } from '../../db/database.ts'
import { administrators, loginDelays, sessions } from '../../db/schema.ts'
import type { Clock, Limits, Log, Passwords, Random } from '../../ports.ts'
import type { Keyring } from '../keys/keyring.ts'
import type { Vault } from '../keys/vault.ts'
import { enforceLimit } from '../rate-limit.ts'
import { enforceLoginDelay, isLoginDelayOf } from './login-delay.ts'
import { createLoginPace } from './login-pace.ts'
import { type EmbeddedProvider, type IdentityProvider, readIdentity } from './provider.ts'
import { createGrantRefusedProblem, createSessionTokens } from './session-tokens.ts'

/** The lifetime of a session in seconds. */
const sessionLifetimeS = 36_000

const role = 'administrator'
const roleClaim = 'realm_access.roles'

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
}

type Session = typeof sessions.$inferSelect

export function createEmbeddedProvider(parts: Parts): IdentityProvider {
  const { db, clock, random, keyring, passwords, limits, log } = parts
  const issuer = `${parts.url}/auth/realms/${realm}`
  const tokens = createSessionTokens(parts, issuer, role)
  const pace = createLoginPace(parts)

  const embedded: EmbeddedProvider = {
    issuer,
    async login(name, password, { address, requestId }) {
      await pace.begin(address)
      await enforceLoginDelay(parts, name, address)
      const [account] = await db.select().from(administrators).where(eq(administrators.name, name))
      if (!(await passwords.verify(password, account?.passwordHash)) || !account) {
        log.warn('login refused', { address })
        await enforceLimit(limits, 'failure', address, 'log in')
        throw createGrantRefusedProblem('user name or password')
      }
      const now = clock()
      const session = {
        id: random.uuid(),
        administrator: account.name,
        generation: 1,
        expiresAt: now + sessionLifetimeS * 1000,
        createdAt: now,
      }
      const identity = { subject: account.name, issuer, name: account.name }
      const audit = createAudit(parts, issueToken.name, { identity, address, requestId })
      const [begun] = await db.batch([
        insertSession(session, account.passwordHash),
        audit
          .createEntry('administrator', account.name, ['session'])
          .toStatement(exists(sessions, eq(sessions.id, session.id))),
        db.delete(sessions).where(lt(sessions.expiresAt, now)),
        db.delete(loginDelays).where(isLoginDelayOf(name, address)),
      ])
      if (begun.length === 0) throw createGrantRefusedProblem('user name or password')
      await pace.succeed(address)
      return tokens.issue(session)
    },
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
      return readIdentity(claims, role, roleClaim)
    },
  }

  /** No row when the password was changed, or the account removed, while the password was compared. */
  function insertSession(session: Session, passwordHash: string) {
    const { id, administrator, generation, expiresAt, createdAt } = session
    const isUnchanged = exists(
      administrators,
      and(eq(administrators.name, administrator), eq(administrators.passwordHash, passwordHash)),
    )
    const values = sql`${id}, ${administrator}, ${generation}, ${expiresAt}, ${createdAt}`
    return db.insert(sessions).select(sql`select ${values} where ${isUnchanged}`).returning()
  }
}
