/** The endpoints of the embedded identity provider. */
import {
  clientId,
  endSession,
  identityDiscovery,
  identityKeySet,
  issueToken,
  Problem,
} from '@cardwire/client/protocol'
import { readClientAddress } from '../auth/authorize.ts'
import type { EmbeddedProvider } from '../auth/identity/provider.ts'
import type { Bind } from '../http/bind.ts'
import type { Services } from '../services.ts'

export function bindIdentityRoutes(bind: Bind, provider: EmbeddedProvider, app: Services): void {
  const protocol = `${provider.issuer}/protocol/openid-connect`

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

function requireClientId(id: string): void {
  if (id !== clientId)
    throw new Problem('client-refused', `Cannot serve this client_id: it is "${clientId}" here`)
}

const createMissingProblem = (what: string) =>
  new Problem('input-invalid', `Cannot sign in: ${what} expected for this grant_type`)
