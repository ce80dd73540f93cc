/** Administrators of an external OpenID provider. */
import { Problem } from '@cardwire/protocol'
import { jwtVerify } from 'jose'
import type { Database } from '../../db/database.ts'
import type { Clock, Log } from '../../ports.ts'
import type { ExternalLoginSettings, IdentitySettings } from '../../settings.ts'
import type { Vault } from '../keys/vault.ts'
import { createAuthorizationCodeFlow, loginCallbackPath } from './authorization-code.ts'
import type { BrowserSessions } from './browser-sessions.ts'
import { createExternalSessions } from './external-sessions.ts'
import { type IdentityProvider, readIdentity } from './provider.ts'
import { createRemoteKeys, isIssuerFailure, publicKeyAlgorithms } from './remote-keys.ts'

type ExternalSettings = Extract<IdentitySettings, { kind: 'external' }>

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
  const loadKeySet = createRemoteKeys(clock, settings)

  return {
    ...(settings.login && { browsers: createBrowserLogin(services, settings.login) }),
    async identify(token) {
      const getKey = await loadKeySet().catch((error) => throwUnreachable(error, log))
      const { payload } = await jwtVerify(token, getKey, {
        algorithms: publicKeyAlgorithms,
        audience: settings.audience,
        ...(settings.issuer !== undefined && { issuer: settings.issuer }),
        currentDate: new Date(clock()),
        clockTolerance: 30,
        requiredClaims: ['sub', 'exp'],
      }).catch((error) =>
        isIssuerFailure(error) ? throwUnreachable(error, log) : Promise.reject(error),
      )
      return readIdentity(payload, settings.roleNames, settings.roleClaim)
    },
  }
}

function createBrowserLogin(services: ExternalProviderServices, settings: ExternalLoginSettings) {
  const login = createAuthorizationCodeFlow(services, settings, services.url + loginCallbackPath)
  return { login, sessions: createExternalSessions(services, login) }
}

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
