/** The identity provider that the service carries for installations without one. */
import { issueToken, tokenKinds } from '@cardwire/protocol'
import { and, eq } from 'drizzle-orm'
import { errors } from 'jose'
import { sessions } from '../../db/schema.ts'
import type { Clock, Digest, Limits, Log, Passwords, Random } from '../../ports.ts'
import type { Settings } from '../../settings.ts'
import type { Keyring } from '../keys/keyring.ts'
import type { Vault } from '../keys/vault.ts'
import type { BrowserSessions } from './browser-sessions.ts'
import { createGrantRefusedProblem } from './grant-refused.ts'
import { createLoginAttempts } from './login-attempts.ts'
import { createPasswordLogin } from './password-login.ts'
import type { EmbeddedProvider, IdentityProvider } from './provider.ts'
import { type AccessServices, findSessionAccess } from './session-access.ts'
import { createSessionTokens } from './session-tokens.ts'
import { createSessionStore } from './store-session.ts'

/** The lifetime of a session in milliseconds. */
const sessionLifetimeMs = 36_000_000

export interface EmbeddedProviderServices extends AccessServices {
  readonly settings: Pick<Settings, 'secondFactorRequired' | 'realm'>
  readonly url: string
  readonly clock: Clock
  readonly random: Random
  readonly digest: Digest
  readonly vault: Vault
  readonly keyring: Keyring
  readonly passwords: Passwords
  readonly limits: Limits
  readonly log: Log
  readonly browserSessions: BrowserSessions
}

interface LoginOptions {
  /** What the audit calls a sign-in in a browser. */
  readonly browserLogin?: string
  /** The only account that signs in. */
  readonly onlyName?: string
}

export function createEmbeddedProvider(
  services: EmbeddedProviderServices,
  { browserLogin = 'logInBrowser', onlyName }: LoginOptions = {},
): IdentityProvider & { readonly embedded: EmbeddedProvider } {
  const { db, clock, random, keyring } = services
  const issuer = `${services.url}/auth/realms/${services.settings.realm.name}`
  const tokens = createSessionTokens(services, issuer)
  const attempts = createLoginAttempts(services)
  const signsIn = (name: string) => onlyName === undefined || name === onlyName
  const authenticate = createPasswordLogin(services, issuer, attempts, signsIn)
  const storeSession = createSessionStore(services, issuer, attempts)

  const embedded: EmbeddedProvider = {
    issuer,
    attempts,
    async login(credentials, from) {
      const { account } = await authenticate(credentials, from)
      const session = createSession(account.name, random.uuid(), clock())
      await storeSession(account, sessions, session, from, issueToken.name)
      return tokens.issue(session)
    },
    async logInBrowser(credentials, { userAgent, ...from }) {
      const { account, recovered } = await authenticate(credentials, from)
      const { cookie, row } = await services.browserSessions.prepare({
        administrator: account.name,
        subject: account.name,
        name: account.name,
        address: from.address,
        userAgent,
      })
      await storeSession(account, services.browserSessions.table, row, from, browserLogin)
      return { cookie, recovered }
    },
    issueAccessToken: async (session) => (await tokens.issueAccessToken(session)).token,
    async refresh(token) {
      const named = await tokens.verifyRefreshToken(token)
      return tokens.issue(await renewSession(services, named))
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
      const access = await findSessionAccess(services, sub, String(sid), clock())
      if (!access) throw new errors.JWTClaimValidationFailed('the session has ended', claims, 'sid')
      return { name: sub, subject: sub, issuer, session: String(sid), isLocal: true, ...access }
    },
  }
}

const createSession = (administrator: string, id: string, now: number) => ({
  id,
  administrator,
  generation: 1,
  expiresAt: now + sessionLifetimeMs,
  createdAt: now,
})

/**
 * Takes the session that a refresh token names to its next generation. Ends it when the token was used before or the session
 * has expired, and throws `grant-refused`.
 */
async function renewSession(
  { db, clock, log }: Pick<EmbeddedProviderServices, 'db' | 'clock' | 'log'>,
  { id, generation }: { readonly id: string; readonly generation: number },
) {
  const [session] = await db
    .update(sessions)
    .set({ generation: generation + 1 })
    .where(and(eq(sessions.id, id), eq(sessions.generation, generation)))
    .returning()
  if (session && session.expiresAt > clock()) return session
  const [ended] = await db.delete(sessions).where(eq(sessions.id, id)).returning()
  if (ended) {
    const reason = session ? 'expired' : 'a refresh token was used twice'
    log.warn('session ended', { session: id, reason })
  }
  throw createGrantRefusedProblem('refresh token')
}
