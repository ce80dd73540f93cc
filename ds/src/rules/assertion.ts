/** Whether an assertion whose signature holds is one for this request, here and now. */
import { type AssertionClaims, assertionKind, clockSkewS } from '@cardwire/client/protocol'

/** How far the clocks of a device and of the service may differ, in milliseconds. */
export const clockSkewMs = clockSkewS * 1000

interface Expected {
  /** The device id, or the thumbprint of a key that registers. */
  readonly subject: string
  readonly audience: string
  /** SHA-256 of the request's body, base64url. */
  readonly body: string
  /** Milliseconds since 1970. */
  readonly now: number
  /** `iat` of the newest assertion taken before, in milliseconds. */
  readonly newest: number
}

export interface Refusal {
  readonly problem: 'assertion-refused' | 'assertion-replayed' | 'clock-skewed'
  readonly reason: string
}

/** The moment an assertion was made, in milliseconds since 1970. */
export const assertedAt = ({ iat }: AssertionClaims): number => Math.round(iat * 1000)

/**
 * Whether `newest` was taken while the clock of the service was ahead: it counts no more, or the device would be refused
 * until then. Both in milliseconds since 1970.
 */
const isOfWrongClock = (newest: number, now: number): boolean => newest > now + clockSkewMs

/** Why the claims are not taken, if they are not. What is expected of the clock comes after what cannot be helped. */
export function refuse(claims: AssertionClaims, expected: Expected): Refusal | undefined {
  const wrong =
    claims.iss !== claims.sub || claims.sub !== expected.subject
      ? 'iss and sub are not the device'
      : claims.aud !== expected.audience
        ? `aud is another service, this one is ${expected.audience}`
        : claims.body !== expected.body
          ? 'body is the digest of another body'
          : claims.exp <= claims.iat || claims.exp > claims.iat + assertionKind.lifetimeS
            ? `exp is not within ${assertionKind.lifetimeS} s of iat`
            : undefined
  if (wrong !== undefined) return { problem: 'assertion-refused', reason: wrong }
  const made = assertedAt(claims)
  if (Math.abs(made - expected.now) > clockSkewMs) {
    return { problem: 'clock-skewed', reason: 'iat is too far from now' }
  }
  if (made <= expected.newest && !isOfWrongClock(expected.newest, expected.now)) {
    return { problem: 'assertion-replayed', reason: 'iat is not later than the last one' }
  }
  return undefined
}
