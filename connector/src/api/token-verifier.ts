/** Verifies application tokens with the keys of the distribution service, or of the settings. */
import { applicationTokenLifetimeS, tokenKinds } from '@cardwire/protocol/token'
import { errors, jwtVerify } from 'jose'
import type { TokenAuthority } from '../distribution/token-authority.ts'
import type { TokenVerifier } from './api-services.ts'

/** How much clocks may differ, in seconds. */
const toleranceS = 30

/** `clock` is the local one, in milliseconds since 1970, and so is the expiry of a token. */
export function createTokenVerifier(
  required: boolean,
  { getKey, issuers, clockOffsetMs }: TokenAuthority,
  clock: () => number,
): TokenVerifier {
  return {
    required,
    async verify(token) {
      const { typ, audience } = tokenKinds.application
      const issuer = issuers()
      const { payload } = await jwtVerify(token, getKey, {
        algorithms: ['ES256', 'RS256'],
        typ,
        audience,
        ...(issuer && { issuer }),
        currentDate: new Date(clock() + clockOffsetMs()),
        clockTolerance: toleranceS,
        maxTokenAge: applicationTokenLifetimeS,
        requiredClaims: ['sub', 'iat', 'exp'],
      })
      // With the tolerance, a stream ends when a new request with its token would be refused.
      const expiresAt = ((payload.exp ?? 0) + toleranceS) * 1000 - clockOffsetMs()
      return { label: payload.sub ?? '', expiresAt }
    },
  }
}

/** Whether a refusal is the fault of the token; otherwise the keys that it is verified with could not be had. */
export const isTokenFault = (error: unknown): boolean =>
  error instanceof errors.JOSEError &&
  !(error instanceof errors.JWKSTimeout || error instanceof errors.JWKSInvalid) &&
  // What jose throws when a key set answers anything but 200.
  error.code !== 'ERR_JOSE_GENERIC'
