/** Tokens of other issuers, such as CI systems, that API clients exchange for access tokens (RFC 8693). */
import { Problem } from '@cardwire/client/protocol'
import { type JWTPayload, jwtVerify } from 'jose'
import type { Trust } from '../../db/schema/api-clients.ts'
import type { Clock, Log } from '../../ports.ts'
import { matchesSubject } from '../../rules/subject-pattern.ts'
import { createRemoteKeys, isIssuerFailure, publicKeyAlgorithms } from '../identity/remote-keys.ts'

/** So many issuers have their keys in memory. */
const maxIssuers = 50

/** Seconds after which a token is not exchanged any more, whatever it says. */
const maxAgeS = 86_400

/** Returns a function that resolves with the claims of a token that `issuer` has signed. */
export function createFederatedTokens({
  clock,
  log,
}: {
  readonly clock: Clock
  readonly log: Log
}) {
  const issuers = new Map<string, ReturnType<typeof createRemoteKeys>>()

  const getKeys = (issuer: string) => {
    const known = issuers.get(issuer)
    if (known) return known
    const [oldest] = issuers.keys()
    if (issuers.size >= maxIssuers && oldest !== undefined) issuers.delete(oldest)
    const created = createRemoteKeys(clock, { issuer })
    issuers.set(issuer, created)
    return created
  }

  /** Throws a JOSEError when anything about the token is wrong, and `issuer-unreachable`. */
  return async (issuer: string, token: string): Promise<JWTPayload> => {
    const getKey = await getKeys(issuer)().catch((error) => throwUnreachable(issuer, error, log))
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
  throw new Problem(
    'issuer-unreachable',
    'Cannot verify the subject_token: its issuer cannot be reached',
    { retryAfterS: 5 },
  )
}
