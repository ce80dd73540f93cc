/** A client of an external OpenID provider: discovers it, and gets, renews and revokes tokens there. */
import { Problem } from '@cardwire/protocol'
import * as oauth from 'oauth4webapi'
import * as z from 'zod'
import type { Clock, Log } from '../../ports.ts'
import type { ExternalLoginSettings } from '../../settings.ts'

/** How long the provider may take to respond, in milliseconds. */
const timeoutMs = 5000

/** What a provider's tokens are worth when it does not say, in seconds. */
const defaultLifetimeS = 300

/** The tokens of a session; `expiresAt`: of the access token, in milliseconds since 1970. */
export const ExternalTokens = z.object({
  access: z.string(),
  refresh: z.string().optional(),
  expiresAt: z.number(),
})
export type ExternalTokens = z.output<typeof ExternalTokens>

/** What the provider was asked with: its response has to belong to it. */
export interface AuthorizationRequest {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
}

export function createOpenIdClient(
  { clock, log }: { readonly clock: Clock; readonly log: Log },
  settings: ExternalLoginSettings,
) {
  const { discover, createOptions } = createDiscovery(new URL(settings.issuer))
  const client: oauth.Client = { client_id: settings.clientId }
  const connect = async (): Promise<Connection> => {
    const server = await discover()
    const authentication = authenticate(settings, server)
    return { server, client, authentication, options: createOptions() }
  }

  return {
    discover,

    /** The tokens for the code in the address that the provider sent the browser to. Throws `grant-refused`. */
    exchangeCode: (
      callback: URL,
      redirectUri: string,
      request: AuthorizationRequest,
    ): Promise<{ readonly tokens: ExternalTokens; readonly subject: string }> =>
      explainRefusal(log, async () => {
        const result = await exchangeCode(await connect(), callback, redirectUri, request)
        const subject = oauth.getValidatedIdTokenClaims(result)?.sub ?? ''
        return { tokens: toTokens(result, clock()), subject }
      }),

    /** New tokens for those of a session. Throws `grant-refused` when the provider has ended it. */
    renew: ({ refresh }: ExternalTokens): Promise<ExternalTokens> =>
      explainRefusal(log, async () => {
        if (refresh === undefined) throw createRefusedProblem()
        const { server, authentication, options } = await connect()
        const response = await oauth.refreshTokenGrantRequest(
          server,
          client,
          authentication,
          refresh,
          options,
        )
        const result = await oauth.processRefreshTokenResponse(server, client, response)
        return { refresh, ...toTokens(result, clock()) }
      }),

    /** Revokes tokens where the provider offers it (RFC 7009). Does not fail: the session has ended here already. */
    async revoke({ refresh, access }: ExternalTokens): Promise<void> {
      try {
        const { server, authentication, options } = await connect()
        if (server.revocation_endpoint === undefined) return
        const token = refresh ?? access
        await oauth.processRevocationResponse(
          await oauth.revocationRequest(server, client, authentication, token, options),
        )
      } catch (error) {
        log.warn('tokens not revoked', { error: describe(error) })
      }
    },
  }
}

/** What a request to the token endpoint needs. */
interface Connection {
  readonly server: oauth.AuthorizationServer
  readonly client: oauth.Client
  readonly authentication: oauth.ClientAuth
  readonly options: oauth.TokenEndpointRequestOptions
}

/** The response of the token endpoint, checked against the request that the browser was sent with. */
async function exchangeCode(
  { server, client, authentication, options }: Connection,
  callback: URL,
  redirectUri: string,
  { state, nonce, verifier }: AuthorizationRequest,
): Promise<oauth.TokenEndpointResponse> {
  const parameters = oauth.validateAuthResponse(server, client, callback, state)
  const response = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    authentication,
    parameters,
    redirectUri,
    verifier,
    options,
  )
  return oauth.processAuthorizationCodeResponse(server, client, response, {
    expectedNonce: nonce,
    requireIdToken: true,
  })
}

/** What the provider publishes about itself, read once (OpenID Connect Discovery 1.0 §4), and the options of requests there. */
function createDiscovery(issuer: URL) {
  // What is kept is never a promise: on Workers one ends with the request that made it.
  let known: oauth.AuthorizationServer | undefined
  const createOptions = () => ({
    [oauth.allowInsecureRequests]: issuer.protocol === 'http:',
    signal: AbortSignal.timeout(timeoutMs),
  })
  const discover = async (): Promise<oauth.AuthorizationServer> => {
    known ??= await oauth.processDiscoveryResponse(
      issuer,
      await oauth.discoveryRequest(issuer, createOptions()),
    )
    return known
  }
  return { createOptions, discover }
}

function authenticate(
  { clientSecret }: ExternalLoginSettings,
  {
    token_endpoint_auth_methods_supported: methods = ['client_secret_basic'],
  }: oauth.AuthorizationServer,
): oauth.ClientAuth {
  if (clientSecret === undefined) return oauth.None()
  return methods.includes('client_secret_basic')
    ? oauth.ClientSecretBasic(clientSecret)
    : oauth.ClientSecretPost(clientSecret)
}

function toTokens(result: oauth.TokenEndpointResponse, now: number): ExternalTokens {
  const { access_token: access, refresh_token: refresh, expires_in = defaultLifetimeS } = result
  const expiresAt = now + expires_in * 1000
  return { access, ...(refresh !== undefined && { refresh }), expiresAt }
}

/** What the provider refuses is refused here; that it cannot be reached is another problem. */
async function explainRefusal<T>(log: Log, act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    if (error instanceof Problem) throw error
    if (!isRefusal(error)) throwUnreachable(error, log)
    log.warn('login refused by the identity provider', { error: describe(error) })
    throw createRefusedProblem()
  }
}

/** Of a token endpoint that refuses (RFC 6749 §5.2). With 429 it has too much to do. */
const refusedStatuses: readonly number[] = [400, 401, 403]

/** What is no answer of a token endpoint: of a proxy in front of it, or of one that is out of order. */
const outages: readonly unknown[] = [
  oauth.RESPONSE_IS_NOT_CONFORM,
  oauth.RESPONSE_IS_NOT_JSON,
  oauth.PARSE_ERROR,
]

/** Whether the provider has decided: anything else may be over soon, and ends no session. */
const isRefusal = (error: unknown): boolean =>
  error instanceof oauth.AuthorizationResponseError ||
  (error instanceof oauth.ResponseBodyError && refusedStatuses.includes(error.status)) ||
  (error instanceof oauth.OperationProcessingError && !outages.includes(error.code))

export const createRefusedProblem = () =>
  new Problem(
    'grant-refused',
    'Cannot sign in: the identity provider refused it, or it took too long',
  )

/** Only the code and the message: the cause of an error of the library holds what the provider has sent. */
const describe = (error: unknown): string =>
  error instanceof Error ? `${error.name}: ${error.message}` : 'unknown'

export function throwUnreachable(error: unknown, log: Log): never {
  log.error('identity provider unreachable', { error: describe(error) })
  throw new Problem(
    'provider-unreachable',
    'Cannot sign in: the identity provider cannot be reached',
    { retryAfterS: 5 },
  )
}
