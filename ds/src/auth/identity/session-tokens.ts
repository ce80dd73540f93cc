/** The tokens of a login of the embedded identity provider: a short access token and a refresh token. */
import { tokenKinds } from '@cardwire/protocol'
import type { sessions } from '../../db/schema.ts'
import type { Clock, Random } from '../../ports.ts'
import type { Settings } from '../../settings.ts'
import type { Keyring } from '../keys/keyring.ts'
import type { Vault } from '../keys/vault.ts'
import { createGrantRefusedProblem } from './grant-refused.ts'
import type { AccessSession, Tokens } from './provider.ts'
import { createRefreshTokens } from './refresh-tokens.ts'
import { type AccessServices, findSessionAccess } from './session-access.ts'

/** Lifetimes in seconds. */
const accessLifetimeS = 300
const refreshLifetimeS = 1800

type Session = typeof sessions.$inferSelect

interface SessionTokenServices extends AccessServices {
  readonly settings: Pick<Settings, 'secondFactorRequired' | 'realm'>
  readonly clock: Clock
  readonly random: Random
  readonly vault: Vault
  readonly keyring: Keyring
}

export function createSessionTokens(
  { db, clock, random, vault, keyring, settings }: SessionTokenServices,
  issuer: string,
) {
  const refreshTokens = createRefreshTokens({ clock, vault }, issuer)

  /** Signs the access token of a session, which does not outlive it. Throws `grant-refused` when it has ended. */
  async function issueAccessToken(
    session: AccessSession,
  ): Promise<{ readonly token: string; readonly iat: number; readonly lifetimeS: number }> {
    const access = await findSessionAccess(
      { db, settings },
      session.administrator,
      session.id,
      clock(),
    )
    if (!access) throw createGrantRefusedProblem('refresh token')
    const { iat, remainingS } = measure(session)
    const lifetimeS = Math.min(accessLifetimeS, remainingS)
    const token = await keyring.sign('administrator', tokenKinds.administrator.typ, {
      iss: issuer,
      sub: session.administrator,
      aud: tokenKinds.administrator.audience,
      azp: settings.realm.client,
      iat,
      exp: iat + lifetimeS,
      jti: random.uuid(),
      sid: session.id,
      preferred_username: session.administrator,
      realm_access: { roles: [access.role] },
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
      return {
        access_token: access,
        expires_in: accessS,
        refresh_expires_in: refreshS,
        refresh_token: await refreshTokens.sign(session, iat, refreshS),
        token_type: 'bearer',
        'not-before-policy': 0,
        session_state: session.id,
        scope: 'profile',
      }
    },

    verifyRefreshToken: refreshTokens.verify,
  }
}
