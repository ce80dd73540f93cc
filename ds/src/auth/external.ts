/** Administrators of an external OpenID provider. */
import { Problem } from '@cardwire/client/protocol'
import { createRemoteJWKSet, errors, type JWTVerifyGetKey, jwtVerify } from 'jose'
import * as z from 'zod'
import type { Clock, Log } from '../services.ts'
import type { IdentitySettings } from '../settings.ts'
import { type IdentityProvider, identityOf } from './identity.ts'

type External = Extract<IdentitySettings, { kind: 'external' }>

// Signatures with a public key alone: an HS256 token "signed" with the published key must find no verifier.
const algorithms = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
]

const Discovery = z.object({ issuer: z.string(), jwks_uri: z.url() })

/** The provider gets this long to answer, in milliseconds. */
const timeoutMs = 5000

export function externalProvider(settings: External, clock: Clock, log: Log): IdentityProvider {
  // Kept when it is there, never the finding of it: the provider may come up after us, and on Workers a promise dies
  // with the request that made it.
  let keys: JWTVerifyGetKey | undefined

  const keySet = async () => {
    keys ??= createRemoteJWKSet(new URL(await locate(settings)), { timeoutDuration: timeoutMs })
    return keys
  }

  return {
    async identify(token) {
      const getKey = await keySet().catch((error) => unreachable(error, log))
      const { payload } = await jwtVerify(token, getKey, {
        algorithms,
        audience: settings.audience,
        ...(settings.issuer !== undefined && { issuer: settings.issuer }),
        currentDate: new Date(clock()),
        clockTolerance: 30,
        requiredClaims: ['sub', 'exp'],
      }).catch((error) => (isOurs(error) ? unreachable(error, log) : Promise.reject(error)))
      return identityOf(payload, settings.role, settings.roleClaim)
    },
  }
}

/** Where the keys are: as set, else as the issuer says (OpenID Connect Discovery 1.0 §4). */
async function locate(settings: External): Promise<string> {
  if (settings.jwksUrl !== undefined) return settings.jwksUrl
  const url = `${settings.issuer?.replace(/\/$/, '')}/.well-known/openid-configuration`
  const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) })
  if (!response.ok)
    throw new Error(`Cannot discover the identity provider: "${url}" answered ${response.status}`)
  const found = Discovery.parse(await response.json())
  if (found.issuer !== settings.issuer) {
    throw new Error(
      `Cannot trust the identity provider: it calls itself "${found.issuer}", not "${settings.issuer}"`,
    )
  }
  return found.jwks_uri
}

/** Whether a verification failed because of the way to the provider, not because of the token. */
const isOurs = (error: unknown) =>
  error instanceof errors.JWKSTimeout ||
  error instanceof errors.JWKSInvalid ||
  // What jose throws when the key set answers anything but 200, and what fetch throws.
  (error instanceof errors.JOSEError && error.code === 'ERR_JOSE_GENERIC') ||
  error instanceof TypeError

function unreachable(error: unknown, log: Log): never {
  log.error('identity provider unreachable', { error: String(error) })
  throw new Problem(
    'provider-unreachable',
    'Cannot verify the token: the identity provider cannot be reached',
    {
      retryAfterS: 5,
    },
  )
}
