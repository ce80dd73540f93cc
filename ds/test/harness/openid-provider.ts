/** A real OpenID provider on this machine, with a login by any name, and browsers without a window that log in there. */
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider from 'oidc-provider'

export const openIdClient = { id: 'cardwire-pages', secret: 'the-secret-of-the-client' } as const

/** What the service is, for the provider. */
export const openIdAudience = 'urn:cardwire:ds'

export interface OpenIdProvider {
  readonly issuer: string
  /** How often tokens were issued, by grant type. */
  readonly grants: Record<string, number>
  /** The tokens that were revoked. */
  readonly revoked: string[]
  /** What is done before a token is issued. */
  beforeGrant: () => Promise<void>
  /** What is answered in place of tokens, as by a proxy in front of the provider. */
  answer?: { readonly status: number; readonly body: string | object } | undefined
  /** Ends all sessions there: no refresh token works any more. */
  endSessions(): Promise<void>
  stop(): Promise<void>
}

/** `host`: its name; `getRoles`: those of an administrator; `accessLifetimeS`: of access tokens. */
export async function startOpenIdProvider(
  callback: string,
  {
    host = '127.0.0.1',
    getRoles = () => ['card-admins'] as readonly string[],
    accessLifetimeS = 300,
  }: {
    host?: string
    getRoles?: (name: string) => readonly string[]
    accessLifetimeS?: number
  } = {},
): Promise<OpenIdProvider> {
  const server = createServer()
  await new Promise<void>((listening) => server.listen(0, host, listening))
  const issuer = `http://${host}:${(server.address() as AddressInfo).port}`
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: openIdClient.id,
        client_secret: openIdClient.secret,
        redirect_uris: [callback],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
      },
    ],
    cookies: { keys: [randomUUID()] },
    features: {
      devInteractions: { enabled: true },
      revocation: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => openIdAudience,
        useGrantedResource: () => true,
        getResourceServerInfo: () => ({
          scope: 'openid profile',
          audience: openIdAudience,
          accessTokenFormat: 'jwt',
          accessTokenTTL: accessLifetimeS,
          jwt: { sign: { alg: 'RS256' } },
        }),
      },
    },
    issueRefreshToken: () => true,
    extraTokenClaims: (_, token) => {
      const name = 'accountId' in token ? String(token.accountId) : ''
      return { preferred_username: name, realm_access: { roles: [...getRoles(name)] } }
    },
  })
  const grants: Record<string, number> = {}
  const revoked: string[] = []
  const refreshTokens: { destroy(): Promise<void> }[] = []
  const state: OpenIdProvider = {
    issuer,
    grants,
    revoked,
    beforeGrant: async () => undefined,
    async endSessions() {
      await Promise.all(refreshTokens.map((token) => token.destroy()))
    },
    async stop() {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
  provider.use(async (context, next) => {
    const isGrant = context.path === '/token'
    if (isGrant) await state.beforeGrant()
    if (isGrant && state.answer) Object.assign(context, state.answer)
    else await next()
  })
  provider.on('grant.success', ({ oidc }) => {
    const type = String(oidc.params?.['grant_type'])
    grants[type] = (grants[type] ?? 0) + 1
  })
  provider.on('refresh_token.saved', (token) => refreshTokens.push(token))
  provider.on('refresh_token.destroyed', ({ jti }) => revoked.push(jti))
  server.on('request', provider.callback())
  return state
}

/** What a service needs to have its administrators there. */
export const toProviderSettings = ({ issuer }: OpenIdProvider) => ({
  DS_IDP_ISSUER: issuer,
  DS_IDP_AUDIENCE: openIdAudience,
  DS_IDP_ROLE: 'card-admins',
  DS_IDP_CLIENT_ID: openIdClient.id,
  DS_IDP_CLIENT_SECRET: openIdClient.secret,
})

/** Logs in at the provider, as an administrator who was sent to this address; resolves with the address that leads back. */
export async function logInAtProvider(
  { issuer }: OpenIdProvider,
  address: string,
  name: string,
): Promise<string> {
  const cookies = new Map<string, string>()
  const send = async (url: string, form?: Record<string, string>) => {
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([key, value]) => `${key}=${value}`).join('; ') },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    })
    for (const cookie of response.headers.getSetCookie()) {
      const [, key = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      cookies.set(key, value)
    }
    return response
  }
  let response = await send(address)
  // A login, a consent, and what lies between.
  for (let step = 0; step < 12; step += 1) {
    const location = response.headers.get('location')
    if (location !== null) {
      const next = new URL(location, issuer).href
      if (!next.startsWith(issuer)) return next
      response = await send(next)
      continue
    }
    const page = await response.text()
    const [, action] = /<form[^>]*action="([^"]+)"/.exec(page) ?? []
    const [, prompt] = /name="prompt" value="(\w+)"/.exec(page) ?? []
    if (action === undefined || prompt === undefined)
      throw new Error(`Cannot sign in at the provider: ${response.status} ${page}`)
    response = await send(new URL(action, issuer).href, { prompt, login: name, password: 'any' })
  }
  throw new Error('Cannot sign in at the provider: it asks for ever more')
}
