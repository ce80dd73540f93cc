/** The token endpoint for programs (OAuth 2.0), and its metadata. */
import {
  accessTokenType,
  authorizationServerMetadata,
  clientTokenLifetimeS,
  clientTokenPath,
  grantTypes,
  issueClientToken,
  Problem,
  tokenKinds,
} from '@cardwire/protocol'
import { and, eq, isNull, lte, or } from 'drizzle-orm'
import { readClientAddress } from '../auth/authorize.ts'
import {
  createClientAuthenticator,
  type ProvenClient,
} from '../auth/programs/authenticate-client.ts'
import { assertionAlgorithms } from '../auth/programs/client-assertion.ts'
import { enforceLimit } from '../auth/rate-limit.ts'
import { apiClientCredentials, apiClients } from '../db/schema.ts'
import type { Bind } from '../http/bind.ts'
import type { Services } from '../services.ts'

/** How exact the last use of a client is, in milliseconds. */
const useIntervalMs = 60_000

/** What was tried too often, for the message. */
const tooManyRequests = 'issue so many tokens'

export function bindClientTokenRoutes(bind: Bind, services: Services): void {
  const { url, db, clock, keyring, random, limits, log } = services
  const clients = createClientAuthenticator(services)

  bind(issueClientToken, async ({ body }, context) => {
    context.header('cache-control', 'no-store')
    const requestId = context.get('requestId')
    const address = readClientAddress(services, context)
    const authorization = context.req.header('authorization')
    const isExchange = body.grant_type === grantTypes.exchange
    if (!isExchange && body.grant_type !== grantTypes.credentials) throw createUnsupportedProblem()
    const proven = await (isExchange
      ? clients.exchange(body, requestId)
      : clients.authenticate(body, authorization, requestId)
    ).catch(async (error) => {
      // Wrong credentials are limited by address. The right one works, whatever others send from the same address.
      await enforceLimit(limits, 'failure', address, tooManyRequests)
      throw authorization === undefined ? error : addChallenge(error)
    })
    await enforceLimit(limits, 'token', `client ${proven.client}`, tooManyRequests)
    await noteUse(proven)
    const { client, credential, subject } = proven
    log.info('client token issued', { requestId, address, client, credential, subject })
    return {
      access_token: await signToken(proven),
      token_type: 'Bearer' as const,
      expires_in: clientTokenLifetimeS,
      ...(isExchange && { issued_token_type: accessTokenType as typeof accessTokenType }),
    }
  })

  bind(authorizationServerMetadata, async () => ({
    issuer: url,
    token_endpoint: url + clientTokenPath,
    response_types_supported: [],
    grant_types_supported: Object.values(grantTypes),
    token_endpoint_auth_methods_supported: [
      'client_secret_basic',
      'client_secret_post',
      'private_key_jwt',
    ],
    token_endpoint_auth_signing_alg_values_supported: [...assertionAlgorithms],
  }))

  function signToken({ client, credential }: ProvenClient): Promise<string> {
    const { typ, audience } = tokenKinds.apiClient
    const iat = Math.floor(clock() / 1000)
    return keyring.sign('administrator', typ, {
      ...{ iss: url, sub: client, aud: audience, client_id: client, credential },
      ...{ iat, exp: iat + clientTokenLifetimeS, jti: random.uuid() },
    })
  }

  async function noteUse({ client, credential }: ProvenClient): Promise<void> {
    const usedAt = clock()
    const before = usedAt - useIntervalMs
    await db.batch([
      db
        .update(apiClients)
        .set({ usedAt })
        .where(
          and(
            eq(apiClients.id, client),
            or(isNull(apiClients.usedAt), lte(apiClients.usedAt, before)),
          ),
        ),
      db
        .update(apiClientCredentials)
        .set({ usedAt })
        .where(
          and(
            eq(apiClientCredentials.id, credential),
            or(isNull(apiClientCredentials.usedAt), lte(apiClientCredentials.usedAt, before)),
          ),
        ),
    ])
  }
}

const createUnsupportedProblem = () =>
  new Problem(
    'grant-unsupported',
    `Cannot use this grant_type: it is ${Object.values(grantTypes).join(' or ')}`,
  )

/** For a client that tried the header Authorization (RFC 6749 §5.2). */
function addChallenge(error: unknown): unknown {
  if (!(error instanceof Problem) || error.name !== 'client-refused') return error
  return new Problem(error.name, error.message, {
    headers: { 'www-authenticate': 'Basic realm="Cardwire"' },
  })
}
