/** Refresh tokens of the embedded identity provider: a session and its generation, signed with a key of the service. */
import { errors, jwtVerify, SignJWT } from 'jose'
import type { sessions } from '../../db/schema.ts'
import type { Clock } from '../../ports.ts'
import type { Vault } from '../keys/vault.ts'
import { createGrantRefusedProblem } from './grant-refused.ts'

const kind = { typ: 'cw-refresh+jwt', algorithm: 'HS256' }

type NamedSession = Pick<typeof sessions.$inferSelect, 'id' | 'generation'>

export function createRefreshTokens(
  { clock, vault }: { readonly clock: Clock; readonly vault: Vault },
  issuer: string,
) {
  const key = vault.deriveMacKey('refresh tokens')
  // Awaited by every use, which then throws; without this Node would end at a rejection nobody has awaited yet.
  key.catch(() => undefined)

  return {
    /** `iat` and `lifetimeS` in seconds. */
    async sign({ id, generation }: NamedSession, iat: number, lifetimeS: number): Promise<string> {
      return new SignJWT({ gen: generation })
        .setProtectedHeader({ alg: kind.algorithm, typ: kind.typ })
        .setIssuer(issuer)
        .setAudience(issuer)
        .setSubject(id)
        .setIssuedAt(iat)
        .setExpirationTime(iat + lifetimeS)
        .sign(await key)
    },

    /** The session that a token names, and its generation. Throws `grant-refused`. */
    async verify(token: string): Promise<NamedSession> {
      const { payload } = await jwtVerify(token, await key, {
        algorithms: [kind.algorithm],
        typ: kind.typ,
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
