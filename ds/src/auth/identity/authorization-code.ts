/** Logins of browsers at an external OpenID provider: authorization code with PKCE (RFC 6749 §4.1, RFC 7636). */
import * as oauth from 'oauth4webapi'
import * as z from 'zod'
import type { Clock, Log } from '../../ports.ts'
import type { ExternalLoginSettings } from '../../settings.ts'
import { loginTransaction } from '../keys/sealed.ts'
import type { Vault } from '../keys/vault.ts'
import {
  type AuthorizationRequest,
  createOpenIdClient,
  createRefusedProblem,
  type ExternalTokens,
  throwUnreachable,
} from './openid-client.ts'

/** Where the provider sends a browser back to, behind the address of the service. */
export const loginCallbackPath = '/admin/login/callback'

/** How long a login may take at the provider, in milliseconds. */
export const transactionLifetimeMs = 600_000

const Transaction = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  to: z.string(),
  expiresAt: z.number(),
})

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
  const client = createOpenIdClient({ clock, log }, settings)

  return {
    /** The address of the login at the provider, and what the browser keeps until it comes back from there. */
    async begin(to: string): Promise<{ readonly address: string; readonly transaction: string }> {
      const server = await client.discover().catch((error) => throwUnreachable(error, log))
      if (server.authorization_endpoint === undefined)
        throw new Error('Cannot sign in: the identity provider publishes no authorization endpoint')
      const secrets = {
        state: oauth.generateRandomState(),
        nonce: oauth.generateRandomNonce(),
        verifier: oauth.generateRandomCodeVerifier(),
      }
      const address = new URL(server.authorization_endpoint)
      const parameters = await createParameters(settings, redirectUri, secrets)
      for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value)
      const expiresAt = clock() + transactionLifetimeMs
      const transaction = JSON.stringify({ ...secrets, to, expiresAt })
      return { address: address.href, transaction: await vault.wrap(transaction, loginTransaction) }
    },

    /** The tokens for the code in the address that the provider sent the browser to. Throws `grant-refused`. */
    async finish(
      callback: URL,
      sealed: string,
    ): Promise<{ readonly tokens: ExternalTokens; readonly subject: string; readonly to: string }> {
      const { to, ...transaction } = await readTransaction(sealed)
      return { ...(await client.exchangeCode(callback, redirectUri, transaction)), to }
    },

    renew: client.renew,
    revoke: client.revoke,

    /** Where an administrator ends the session at the provider; undefined where that is not offered, or cannot be known now. */
    async findEndAddress(): Promise<string | undefined> {
      const server = await client.discover().catch(() => undefined)
      if (server?.end_session_endpoint === undefined) return undefined
      const address = new URL(server.end_session_endpoint)
      address.searchParams.set('client_id', settings.clientId)
      return address.href
    },
  }

  async function readTransaction(sealed: string): Promise<z.output<typeof Transaction>> {
    const text = await vault.unwrap(sealed, loginTransaction).catch(() => throwRefused())
    const transaction = Transaction.parse(JSON.parse(text))
    return transaction.expiresAt > clock() ? transaction : throwRefused()
  }
}

/** The parameters of an authorization request (RFC 6749 §4.1.1, RFC 7636 §4.3, OpenID Connect Core 1.0 §3.1.2.1). */
const createParameters = async (
  { parameters, clientId, scope }: ExternalLoginSettings,
  redirectUri: string,
  { state, nonce, verifier }: AuthorizationRequest,
): Promise<Readonly<Record<string, string>>> => ({
  ...parameters,
  client_id: clientId,
  response_type: 'code',
  redirect_uri: redirectUri,
  scope,
  state,
  nonce,
  code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
  code_challenge_method: 'S256',
})

function throwRefused(): never {
  throw createRefusedProblem()
}
