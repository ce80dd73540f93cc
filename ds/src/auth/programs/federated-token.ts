/** Tokens of other issuers, such as CI systems, that API clients exchange for access tokens (RFC 8693). */
import { Problem } from '@cardwire/protocol'
import { type JWTPayload, jwtVerify } from 'jose'
import type { Trust } from '../../db/schema/api-clients.ts'
import type { Clock, Log } from '../../ports.ts'
import { matchesSubject } from '../../rules/subject-pattern.ts'
import { createRemoteKeys, isIssuerFailure, publicKeyAlgorithms } from '../identity/remote-keys.ts'

/** So many issuers have their keys in memory. */
const maxIssuers = 50

/** Seconds after which a token is not exchanged any more, whatever it says. */
const maxAgeS = 86_400

/** So many requests at once wait for an issuer whose keys are not known yet: anyone can send tokens that name it. */
const maxWaiting = 4

/** How long an issuer that did not respond is not asked again, in milliseconds. */
const restMs = 2000

interface KnownIssuer {
  readonly load: ReturnType<typeof createRemoteKeys>
  waiting: number
  failedAt: number
}

/** Returns a function that resolves with the claims of a token that `issuer` has signed. */
export function createFederatedTokens({
  clock,
  log,
}: {
  readonly clock: Clock
  readonly log: Log
}) {
  const issuers = new Map<string, KnownIssuer>()

  const findIssuer = (issuer: string): KnownIssuer => {
    const known = issuers.get(issuer)
    if (known) return known
    const [oldest] = issuers.keys()
    if (issuers.size >= maxIssuers && oldest !== undefined) issuers.delete(oldest)
    const load = createRemoteKeys(clock, { issuer })
    const created = { load, waiting: 0, failedAt: Number.NEGATIVE_INFINITY }
    issuers.set(issuer, created)
    return created
  }

  const loadKeys = async (issuer: string) => {
    const known = findIssuer(issuer)
    const isResting = Math.abs(clock() - known.failedAt) < restMs
    if (isResting || known.waiting >= maxWaiting) throw createUnreachableProblem()
    known.waiting += 1
    try {
      return await known.load()
    } catch (error) {
      known.failedAt = clock()
      return throwUnreachable(issuer, error, log)
    } finally {
      known.waiting -= 1
    }
  }

  /** Throws a JOSEError when anything about the token is wrong, and `issuer-unreachable`. */
  return async (issuer: string, token: string): Promise<JWTPayload> => {
    const getKey = await loadKeys(issuer)
    const { payload } = await jwtVerify(token, getKey, {
      algorithms: publicKeyAlgorithms,
      issuer,
      currentDate: new Date(clock()),
      clockTolerance: 30,
      maxTokenAge: maxAgeS,
      requiredClaims: ['sub', 'aud', 'exp', 'iat'],
    }).catch((error) =>
      isIssuerFailure(error) ? throwUnreachable(issuer, error, log) : Promise.reject(error),
    )
    return payload
  }
}

/** Whether verified claims are those that a credential trusts; undefined, or what is not. `url`: the audience where none is set. */
export function findMismatch(trust: Trust, claims: JWTPayload, url: string): string | undefined {
  const audience = trust.audience ?? url
  if (![claims.aud].flat().includes(audience)) return 'aud'
  if (!matchesSubject(trust.subject, claims.sub ?? '')) return 'sub'
  return Object.entries(trust.claims ?? {}).find(([name, value]) => {
    return !Object.hasOwn(claims, name) || claims[name] !== value
  })?.[0]
}

function throwUnreachable(issuer: string, error: unknown, log: Log): never {
  log.error('token issuer unreachable', { issuer, error: String(error) })
  throw createUnreachableProblem()
}

const createUnreachableProblem = () =>
  new Problem(
    'issuer-unreachable',
    'Cannot verify the subject_token: its issuer cannot be reached',
    { retryAfterS: 5 },
  )
