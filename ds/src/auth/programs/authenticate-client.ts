/** Finds the API client that a token request proves to be: by a secret, by a JWT that it signed, or by a token of a trusted issuer. */
import { type ClientTokenForm, jwtBearer, Problem, subjectTokenTypes } from '@cardwire/protocol'
import { and, eq, gt, isNull, or } from 'drizzle-orm'
import { decodeJwt, errors } from 'jose'
import type { Database } from '../../db/database.ts'
import { apiClientCredentials, apiClients } from '../../db/schema.ts'
import type { Clock, Digest, Log } from '../../ports.ts'
import { useAssertion, verifyAssertion } from './client-assertion.ts'
import { createFederatedTokens, findMismatch } from './federated-token.ts'

interface AuthenticationServices {
  readonly url: string
  readonly db: Database
  readonly clock: Clock
  readonly digest: Digest
  readonly log: Log
}

export interface ProvenClient {
  readonly client: string
  readonly credential: string
  /** The subject of a token that was exchanged. */
  readonly subject?: string
}

type Credential = typeof apiClientCredentials.$inferSelect

/** What a request says of its client, before anything is proven. */
interface Claimed {
  readonly client: string
  readonly secret?: string
  readonly assertion?: string
}

/** Why a client is refused: in the log only. */
class Refusal extends Error {}

export function createClientAuthenticator(services: AuthenticationServices) {
  const { url, db, clock, digest, log } = services
  const verifyFederated = createFederatedTokens(services)

  return {
    /** Client credentials (RFC 6749 §4.4). Throws `client-refused`. `basic`: the header Authorization. */
    authenticate: (form: ClientTokenForm, basic: string | undefined, requestId: string) =>
      explain('client-refused', requestId, async () => {
        const { client, secret, assertion } = readClaimed(form, basic)
        if (assertion !== undefined) return proveByAssertion(client, assertion)
        if (secret === undefined) throw new Refusal('no credential')
        const hash = await digest(secret)
        const found = (await listCredentials(client)).find((one) => one.digest === hash)
        if (found?.kind !== 'secret') throw new Refusal('wrong secret or client')
        return { client, credential: found.id }
      }),

    /** Token exchange (RFC 8693). Throws `subject-token-refused` or `issuer-unreachable`. */
    exchange: (form: ClientTokenForm, requestId: string) =>
      explain('subject-token-refused', requestId, async (): Promise<ProvenClient> => {
        const { client_id: client, subject_token: token, subject_token_type: type } = form
        requireField('client_id', client)
        requireField('subject_token', token)
        if (!subjectTokenTypes.some((one) => one === type))
          throw createInputProblem(
            'subject_token_type',
            `expected ${subjectTokenTypes.join(' or ')}`,
          )
        const issuer = readUnverified(token).iss
        const trusts = (await listCredentials(client)).flatMap(({ id, trust }) =>
          trust && trust.issuer === issuer ? [{ id, ...trust }] : [],
        )
        const [first] = trusts
        if (!first) throw new Refusal(`the client trusts no issuer "${String(issuer)}"`)
        const claims = await verifyFederated(first.issuer, token)
        const mismatches = trusts.map((trust) => findMismatch(trust, claims, url))
        const match = trusts[mismatches.indexOf(undefined)]
        if (match) return { client, credential: match.id, subject: claims.sub ?? '' }
        throw new Refusal(
          `no trust matches: ${mismatches.join(', ')}, subject "${claims.sub?.slice(0, 200)}"`,
        )
      }),
  }

  async function proveByAssertion(client: string, assertion: string): Promise<ProvenClient> {
    const failures: string[] = []
    for (const { id, jwk } of await listCredentials(client)) {
      if (!jwk) continue
      try {
        const claims = await verifyAssertion(services, { client, jwk }, assertion)
        if (await useAssertion(services, id, claims)) return { client, credential: id }
        throw new Refusal('the assertion was used before')
      } catch (error) {
        if (!isRefusedToken(error)) throw error
        failures.push(error.message)
      }
    }
    throw new Refusal(`no key verifies the assertion: ${failures.join(', ')}`)
  }

  /** Those that have not expired, of a client that has not either. */
  async function listCredentials(client: string): Promise<readonly Credential[]> {
    const now = clock()
    const rows = await db
      .select({ credential: apiClientCredentials })
      .from(apiClientCredentials)
      .innerJoin(apiClients, eq(apiClientCredentials.client, apiClients.id))
      .where(
        and(
          eq(apiClients.id, client),
          or(isNull(apiClients.expiresAt), gt(apiClients.expiresAt, now)),
          or(isNull(apiClientCredentials.expiresAt), gt(apiClientCredentials.expiresAt, now)),
        ),
      )
    return rows.map(({ credential }) => credential)
  }

  /** One text for every reason; the reason is in the log. */
  async function explain<T>(
    name: 'client-refused' | 'subject-token-refused',
    requestId: string,
    prove: () => Promise<T>,
  ): Promise<T> {
    try {
      return await prove()
    } catch (error) {
      if (!(error instanceof Refusal) && !isRefusedToken(error)) throw error
      log.warn('client refused', { requestId, reason: error.message.slice(0, 500) })
      throw new Problem(name, texts[name])
    }
  }
}

const texts = {
  'client-refused':
    'Cannot authenticate the client: its ID or its credential is wrong, or no longer valid',
  'subject-token-refused':
    'Cannot accept the subject_token: no federated credential of this client trusts it, the log has the reason',
} as const

/** What jose throws for a token that is wrong, or for a key that does not fit its header. */
const isRefusedToken = (error: unknown): error is Error =>
  error instanceof errors.JOSEError || (error instanceof TypeError && !('cause' in error))

/** One way to authenticate (RFC 6749 §2.3). */
function readClaimed(form: ClientTokenForm, authorization: string | undefined): Claimed {
  const { client_secret: secret, client_assertion: assertion } = form
  const given = [authorization, secret, assertion].filter((one) => one !== undefined)
  if (given.length > 1)
    throw createInputProblem('client_secret', 'expected one way to authenticate the client')
  if (authorization !== undefined) return readBasic(authorization, form.client_id)
  if (assertion !== undefined) {
    if (form.client_assertion_type !== jwtBearer)
      throw createInputProblem('client_assertion_type', `expected ${jwtBearer}`)
    const client = form.client_id ?? readUnverified(assertion).sub
    if (typeof client !== 'string') throw new Refusal('the assertion has no subject')
    return { client, assertion }
  }
  requireField('client_id', form.client_id)
  return { client: form.client_id, ...(secret !== undefined && { secret }) }
}

/** `client_secret_basic`: both parts are encoded as in a form (RFC 6749 §2.3.1). */
function readBasic(authorization: string, named: string | undefined): Claimed {
  const base64 = /^Basic +([A-Za-z0-9+/]+={0,2})$/i.exec(authorization)?.[1]
  const text = base64 === undefined ? '' : atob(base64)
  const [id, ...secret] = text.split(':')
  if (!id || secret.length === 0) throw new Refusal('no Basic credentials')
  const client = decodeField(id)
  if (named !== undefined && named !== client)
    throw createInputProblem('client_id', 'expected the client of the header Authorization')
  return { client, secret: decodeField(secret.join(':')) }
}

function decodeField(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}

/** The claims of a token of which nothing is verified yet. */
function readUnverified(token: string): { readonly iss?: unknown; readonly sub?: unknown } {
  try {
    return decodeJwt(token)
  } catch {
    throw new Refusal('it is not a JWT')
  }
}

function requireField(name: string, value: string | undefined): asserts value is string {
  if (value === undefined) throw createInputProblem(name, 'expected a value')
}

const createInputProblem = (path: string, message: string) =>
  new Problem('input-invalid', `Cannot issue a token: "${path}": ${message}`, {
    errors: [{ path, message }],
  })
