/** The tokens of a login of the embedded identity provider: a short access token and a refresh token. */
import { clientId, Problem, tokenKinds } from '@cardwire/client/protocol'
import { errors, jwtVerify, SignJWT } from 'jose'
import type { Database } from '../../db/database.ts'
import type { sessions } from '../../db/schema.ts'
import type { Clock, Random } from '../../ports.ts'
import type { Keyring } from '../keys/keyring.ts'
import type { Vault } from '../keys/vault.ts'
import type { AccessSession, Tokens } from './provider.ts'
import { findSessionRole } from './session-role.ts'

/** Lifetimes in seconds. */
const accessLifetimeS = 300
const refreshLifetimeS = 1800

const refreshKind = { typ: 'cw-refresh+jwt', algorithm: 'HS256' }

type Session = typeof sessions.$inferSelect

interface SessionTokenServices {
  readonly db: Database
  readonly clock: Clock
  readonly random: Random
  readonly vault: Vault
  readonly keyring: Keyring
}

export function createSessionTokens(
  { db, clock, random, vault, keyring }: SessionTokenServices,
  issuer: string,
) {
  const refreshKey = vault.deriveMacKey('refresh tokens')
  // Awaited by every use, which then throws; without this Node would end at a rejection nobody has awaited yet.
  refreshKey.catch(() => undefined)

  /** Signs the access token of a session, which does not outlive it. Throws `grant-refused` when it has ended. */
  async function issueAccessToken(
    session: AccessSession,
  ): Promise<{ readonly token: string; readonly iat: number; readonly lifetimeS: number }> {
    const role = await findSessionRole(db, session.administrator, session.id)
    if (role === undefined) throw createGrantRefusedProblem('refresh token')
    const { iat, remainingS } = measure(session)
    const lifetimeS = Math.min(accessLifetimeS, remainingS)
    const token = await keyring.sign('administrator', tokenKinds.administrator.typ, {
      iss: issuer,
      sub: session.administrator,
      aud: tokenKinds.administrator.audience,
      azp: clientId,
      iat,
      exp: iat + lifetimeS,
      jti: random.uuid(),
      sid: session.id,
      preferred_username: session.administrator,
      realm_access: { roles: [role] },
    })
    return { token, iat, lifetimeS }
  }

  function measure({ expiresAt }: AccessSession) {
    const iat = Math.floor(clock() / 1000)
    return { iat, remainingS: Math.max(0, Math.floor(expiresAt / 1000) - iat) }
  }

  return {
    issueAccessToken,

    /** Issues the tokens of a session; none outlives it. */
    async issue(session: Session): Promise<Tokens> {
      const { token: access, iat, lifetimeS: accessS } = await issueAccessToken(session)
      const refreshS = Math.min(refreshLifetimeS, measure(session).remainingS)
      const refresh = await new SignJWT({ gen: session.generation })
        .setProtectedHeader({ alg: refreshKind.algorithm, typ: refreshKind.typ })
        .setIssuer(issuer)
        .setAudience(issuer)
        .setSubject(session.id)
        .setIssuedAt(iat)
        .setExpirationTime(iat + refreshS)
        .sign(await refreshKey)
      return {
        access_token: access,
        expires_in: accessS,
        refresh_expires_in: refreshS,
        refresh_token: refresh,
        token_type: 'bearer',
        'not-before-policy': 0,
        session_state: session.id,
        scope: 'profile',
      }
    },

    /** The session that a refresh token names, and its generation. Throws `grant-refused`. */
    async verifyRefreshToken(token: string): Promise<{ id: string; generation: number }> {
      const { payload } = await jwtVerify(token, await refreshKey, {
        algorithms: [refreshKind.algorithm],
        typ: refreshKind.typ,
        issuer,
        audience: issuer,
        currentDate: new Date(clock()),
      }).catch((error) => {
        throw error instanceof errors.JOSEError ? createGrantRefusedProblem('refresh token') : error
      })
      if (payload.sub === undefined || typeof payload['gen'] !== 'number')
        throw createGrantRefusedProblem('refresh token')
      return { id: payload.sub, generation: payload['gen'] }
    },
  }
}

/** `credential` is what the login or renewal was tried with. */
export const createGrantRefusedProblem = (
  credential: 'refresh token' | 'user name or password' | 'code',
) => new Problem('grant-refused', `Cannot log in: the ${credential} is wrong or no longer valid`)
