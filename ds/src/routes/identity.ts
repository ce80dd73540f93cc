/** The endpoints of the embedded identity provider. */
import {
  clientId,
  endSession,
  identityDiscovery,
  identityKeySet,
  issueToken,
  Problem,
  realm,
} from '@cardwire/protocol'
import { readClientAddress } from '../auth/authorize.ts'
import type { EmbeddedProvider } from '../auth/identity/provider.ts'
import type { Bind } from '../http/bind.ts'
import type { Services } from '../services.ts'

/** Under the name that the settings give the realm, and under its own, which the commands of this repository use. */
export function bindIdentityRoutes(bind: Bind, provider: EmbeddedProvider, app: Services): void {
  bindRealm(bind, provider, app)
  const { name } = app.settings.realm
  if (name === realm) return
  const bindNamed: Bind = (operation, handler) =>
    bind({ ...operation, path: toRealmPath(operation.path, name) }, handler)
  bindRealm(bindNamed, provider, app)
}

/** The path of an operation of the provider in the realm of this name. */
export const toRealmPath = (path: `/${string}`, name: string): `/${string}` =>
  `/auth/realms/${name}${path.slice(`/auth/realms/${realm}`.length)}`

function bindRealm(bind: Bind, provider: EmbeddedProvider, app: Services): void {
  const protocol = `${provider.issuer}/protocol/openid-connect`
  const requireClientId = (id: string): void => {
    const { client } = app.settings.realm
    if (id === client || id === clientId) return
    throw new Problem('client-refused', `Cannot serve this client_id: it is "${client}" here`)
  }

  bind(issueToken, async ({ body }, context) => {
    requireClientId(body.client_id)
    context.header('pragma', 'no-cache')
    if (body.grant_type === 'password') {
      const { username: name, password, totp: code } = body
      if (name === undefined || password === undefined)
        throw createMissingProblem('username and password')
      const address = readClientAddress(app, context)
      return provider.login(
        { name, password, code },
        { address, requestId: context.get('requestId') },
      )
    }
    if (body.grant_type === 'refresh_token') {
      if (body.refresh_token === undefined) throw createMissingProblem('refresh_token')
      return provider.refresh(body.refresh_token)
    }
    throw new Problem(
      'grant-unsupported',
      'Cannot use this grant_type: it is password or refresh_token',
    )
  })

  bind(endSession, async ({ body }) => {
    requireClientId(body.client_id)
    await provider.logout(body.refresh_token)
    return {}
  })

  bind(identityKeySet, async () => ({
    keys: (await app.keyring.list('administrator')).map(({ jwk }) => jwk),
  }))

  bind(identityDiscovery, async () => ({
    issuer: provider.issuer,
    token_endpoint: `${protocol}/token`,
    end_session_endpoint: `${protocol}/logout`,
    jwks_uri: `${protocol}/certs`,
    grant_types_supported: ['password', 'refresh_token'],
    token_endpoint_auth_methods_supported: ['none'],
  }))
}

const createMissingProblem = (what: string) =>
  new Problem('input-invalid', `Cannot sign in: ${what} expected for this grant_type`)
