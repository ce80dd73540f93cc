/** Administrators of an external OpenID provider. */
import { Problem } from '@cardwire/client/protocol'
import { createRemoteJWKSet, errors, type JWTVerifyGetKey, jwtVerify } from 'jose'
import * as z from 'zod'
import type { Database } from '../../db/database.ts'
import type { Clock, Log } from '../../ports.ts'
import type { ExternalLoginSettings, IdentitySettings } from '../../settings.ts'
import type { Vault } from '../keys/vault.ts'
import { createAuthorizationCodeFlow, loginCallbackPath } from './authorization-code.ts'
import type { BrowserSessions } from './browser-sessions.ts'
import { createExternalSessions } from './external-sessions.ts'
import { type IdentityProvider, readIdentity } from './provider.ts'

type ExternalSettings = Extract<IdentitySettings, { kind: 'external' }>

// Only algorithms with a public key: an HS256 token "signed" with the published key must not be accepted.
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

/** How long the provider may take to respond, in milliseconds. */
const timeoutMs = 5000

interface ExternalProviderServices {
  readonly url: string
  readonly db: Database
  readonly clock: Clock
  readonly vault: Vault
  readonly browserSessions: BrowserSessions
  readonly log: Log
}

export function createExternalProvider(
  services: ExternalProviderServices,
  settings: ExternalSettings,
): IdentityProvider {
  const { clock, log } = services
  // The key set is cached, never the promise of it: the provider may start after the service, and on Workers a promise
  // ends with the request that made it.
  let keys: JWTVerifyGetKey | undefined
  let usedAt = Number.NEGATIVE_INFINITY

  const loadKeySet = async () => {
    const now = clock()
    // Until the clock is there again, the library would keep the old set, and fetch no other.
    if (now < usedAt) keys = undefined
    usedAt = now
    keys ??= createRemoteJWKSet(new URL(await findKeySetUrl(settings)), {
      timeoutDuration: timeoutMs,
    })
    return keys
  }

  return {
    ...(settings.login && { browsers: createBrowserLogin(services, settings.login) }),
    async identify(token) {
      const getKey = await loadKeySet().catch((error) => throwUnreachable(error, log))
      const { payload } = await jwtVerify(token, getKey, {
        algorithms,
        audience: settings.audience,
        ...(settings.issuer !== undefined && { issuer: settings.issuer }),
        currentDate: new Date(clock()),
        clockTolerance: 30,
        requiredClaims: ['sub', 'exp'],
      }).catch((error) =>
        isProviderFailure(error) ? throwUnreachable(error, log) : Promise.reject(error),
      )
      return readIdentity(payload, settings.roleNames, settings.roleClaim)
    },
  }
}

function createBrowserLogin(services: ExternalProviderServices, settings: ExternalLoginSettings) {
  const login = createAuthorizationCodeFlow(services, settings, services.url + loginCallbackPath)
  return { login, sessions: createExternalSessions(services, login) }
}

/** The address of the keys: the setting, else what the issuer publishes (OpenID Connect Discovery 1.0 §4). */
async function findKeySetUrl(settings: ExternalSettings): Promise<string> {
  if (settings.jwksUrl !== undefined) return settings.jwksUrl
  const url = `${settings.issuer?.replace(/\/$/, '')}/.well-known/openid-configuration`
  const response = await fetch(url, {
    signal: AbortSignal.timeout(timeoutMs),
    // As for everything else that is asked of the provider: its address is the one that was set.
    redirect: 'manual',
  })
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

/** Whether a verification failed because of the provider or the network, not because of the token. */
const isProviderFailure = (error: unknown) =>
  error instanceof errors.JWKSTimeout ||
  error instanceof errors.JWKSInvalid ||
  // What jose throws when the key set answers anything but 200, and what fetch throws.
  (error instanceof errors.JOSEError && error.code === 'ERR_JOSE_GENERIC') ||
  error instanceof TypeError

function throwUnreachable(error: unknown, log: Log): never {
  log.error('identity provider unreachable', { error: String(error) })
  throw new Problem(
    'provider-unreachable',
    'Cannot verify the token: the identity provider cannot be reached',
    {
      retryAfterS: 5,
    },
  )
}
