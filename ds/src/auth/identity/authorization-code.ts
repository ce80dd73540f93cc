/** Logins of browsers at an external OpenID provider: authorization code with PKCE (RFC 6749 §4.1, RFC 7636). */
import { Problem } from '@cardwire/client/protocol'
import * as oauth from 'oauth4webapi'
import * as z from 'zod'
import type { Clock, Log } from '../../ports.ts'
import type { ExternalLoginSettings } from '../../settings.ts'
import type { Vault } from '../keys/vault.ts'

/** Where the provider sends a browser back to, behind the address of the service. */
export const loginCallbackPath = '/admin/login/callback'

/** How long a login may take at the provider, in milliseconds. */
export const transactionLifetimeMs = 600_000

/** How long the provider may take to respond, in milliseconds. */
const timeoutMs = 5000

/** What a provider's tokens are worth when it does not say, in seconds. */
const defaultLifetimeS = 300

const Transaction = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  to: z.string(),
  expiresAt: z.number(),
})

/** The tokens of a session; `expiresAt`: of the access token, in milliseconds since 1970. */
export const ExternalTokens = z.object({
  access: z.string(),
  refresh: z.string().optional(),
  expiresAt: z.number(),
})
export type ExternalTokens = z.output<typeof ExternalTokens>

interface CodeFlowServices {
  readonly clock: Clock
  readonly vault: Vault
  readonly log: Log
}

export type AuthorizationCodeFlow = ReturnType<typeof createAuthorizationCodeFlow>

/** `redirectUri`: where the provider sends the browser back to. */
export function createAuthorizationCodeFlow(
  { clock, vault, log }: CodeFlowServices,
  settings: ExternalLoginSettings,
  redirectUri: string,
) {
  const issuer = new URL(settings.issuer)
  const client: oauth.Client = { client_id: settings.clientId }
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

  return {
    /** The address of the login at the provider, and what the browser keeps until it comes back from there. */
    async begin(to: string): Promise<{ readonly address: string; readonly transaction: string }> {
      const server = await discover().catch((error) => throwUnreachable(error, log))
      if (server.authorization_endpoint === undefined)
        throw new Error('Cannot log in: the identity provider publishes no authorization endpoint')
      const [state, nonce] = [oauth.generateRandomState(), oauth.generateRandomNonce()]
      const verifier = oauth.generateRandomCodeVerifier()
      const address = new URL(server.authorization_endpoint)
      const parameters = {
        ...settings.parameters,
        client_id: settings.clientId,
        response_type: 'code',
        redirect_uri: redirectUri,
        scope: settings.scope,
        state,
        nonce,
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      }
      for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value)
      const expiresAt = clock() + transactionLifetimeMs
      const transaction = JSON.stringify({ state, nonce, verifier, to, expiresAt })
      return { address: address.href, transaction: await vault.wrap(transaction, transactionRow) }
    },

    /** The tokens for the code in the address that the provider sent the browser to. Throws `grant-refused`. */
    async finish(
      callback: URL,
      sealed: string,
    ): Promise<{ readonly tokens: ExternalTokens; readonly subject: string; readonly to: string }> {
      const { state, nonce, verifier, to } = await readTransaction(sealed)
      return attempt(async () => {
        const server = await discover()
        const parameters = oauth.validateAuthResponse(server, client, callback, state)
        const response = await oauth.authorizationCodeGrantRequest(
          server,
          client,
          authenticate(server),
          parameters,
          redirectUri,
          verifier,
          createOptions(),
        )
        const result = await oauth.processAuthorizationCodeResponse(server, client, response, {
          expectedNonce: nonce,
          requireIdToken: true,
        })
        const subject = oauth.getValidatedIdTokenClaims(result)?.sub ?? ''
        return { tokens: toTokens(result), subject, to }
      })
    },

    /** New tokens for those of a session. Throws `grant-refused` when the provider has ended it. */
    renew: ({ refresh }: ExternalTokens): Promise<ExternalTokens> =>
      attempt(async () => {
        if (refresh === undefined) throw createRefusedProblem()
        const server = await discover()
        const response = await oauth.refreshTokenGrantRequest(
          server,
          client,
          authenticate(server),
          refresh,
          createOptions(),
        )
        const result = await oauth.processRefreshTokenResponse(server, client, response)
        return { refresh, ...toTokens(result) }
      }),

    /** Revokes tokens where the provider offers it (RFC 7009). Does not fail: the session has ended here already. */
    async revoke({ refresh, access }: ExternalTokens): Promise<void> {
      try {
        const server = await discover()
        if (server.revocation_endpoint === undefined) return
        const options = createOptions()
        const token = refresh ?? access
        await oauth.processRevocationResponse(
          await oauth.revocationRequest(server, client, authenticate(server), token, options),
        )
      } catch (error) {
        log.warn('tokens not revoked', { error: describe(error) })
      }
    },

    /** Where a person ends the session at the provider; undefined where that is not offered, or cannot be known now. */
    async findEndAddress(): Promise<string | undefined> {
      const server = await discover().catch(() => undefined)
      if (server?.end_session_endpoint === undefined) return undefined
      const address = new URL(server.end_session_endpoint)
      address.searchParams.set('client_id', settings.clientId)
      return address.href
    },
  }

  function authenticate({
    token_endpoint_auth_methods_supported: methods = ['client_secret_basic'],
  }: oauth.AuthorizationServer): oauth.ClientAuth {
    const { clientSecret } = settings
    if (clientSecret === undefined) return oauth.None()
    return methods.includes('client_secret_basic')
      ? oauth.ClientSecretBasic(clientSecret)
      : oauth.ClientSecretPost(clientSecret)
  }

  async function readTransaction(sealed: string): Promise<z.output<typeof Transaction>> {
    const text = await vault.unwrap(sealed, transactionRow).catch(() => throwRefused())
    const transaction = Transaction.parse(JSON.parse(text))
    return transaction.expiresAt > clock() ? transaction : throwRefused()
  }

  function toTokens(result: oauth.TokenEndpointResponse): ExternalTokens {
    const { access_token: access, refresh_token: refresh, expires_in = defaultLifetimeS } = result
    const expiresAt = clock() + expires_in * 1000
    return { access, ...(refresh !== undefined && { refresh }), expiresAt }
  }

  /** What the provider refuses is refused here; that it cannot be reached is another problem. */
  async function attempt<T>(act: () => Promise<T>): Promise<T> {
    try {
      return await act()
    } catch (error) {
      if (error instanceof Problem) throw error
      const isRefusal =
        error instanceof oauth.AuthorizationResponseError ||
        (error instanceof oauth.ResponseBodyError && error.status < 500) ||
        error instanceof oauth.OperationProcessingError
      if (!isRefusal) throwUnreachable(error, log)
      log.warn('login refused by the identity provider', { error: describe(error) })
      throw createRefusedProblem()
    }
  }
}

const transactionRow = 'login at the identity provider'

const createRefusedProblem = () =>
  new Problem(
    'grant-refused',
    'Cannot log in: the identity provider refused it, or it took too long',
  )

function throwRefused(): never {
  throw createRefusedProblem()
}

/** Only the code and the message: the cause of an error of the library holds what the provider has sent. */
const describe = (error: unknown): string =>
  error instanceof Error ? `${error.name}: ${error.message}` : 'unknown'

function throwUnreachable(error: unknown, log: Log): never {
  log.error('identity provider unreachable', { error: describe(error) })
  throw new Problem(
    'provider-unreachable',
    'Cannot log in: the identity provider cannot be reached',
    { retryAfterS: 5 },
  )
}
