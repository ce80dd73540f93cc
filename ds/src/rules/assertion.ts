/** Whether an assertion with a valid signature is for this device, this service and this moment. */
import {
  type AssertionClaims,
  assertionKind,
  clockSkewS,
  createTargetUri,
} from '@cardwire/protocol'

/** How far the clocks of a device and of the service may differ, in milliseconds. */
export const clockSkewMs = clockSkewS * 1000

interface Expected {
  /** The device id, or the thumbprint of a key that registers. */
  readonly subject: string
  readonly audience: string
  readonly method: string
  readonly path: string
  /** Milliseconds since 1970. */
  readonly now: number
  /** `iat` of the newest assertion accepted before, in milliseconds. */
  readonly newest: number
}

export interface Refusal {
  readonly problem: 'assertion-refused' | 'assertion-replayed' | 'clock-skewed'
  readonly reason: string
}

/** The moment an assertion was made, in milliseconds since 1970. */
export const toIssuedAtMs = ({ iat }: AssertionClaims): number => Math.round(iat * 1000)

/**
 * Whether `newest` was accepted while the clock of the service was ahead. It is ignored then: otherwise the device would
 * be refused until that time. Both in milliseconds since 1970.
 */
const isFromFuture = (newest: number, now: number): boolean => newest > now + clockSkewMs

/** Why the claims are refused, if they are. The clock is checked last: a device can correct that alone. */
export function checkAssertion(claims: AssertionClaims, expected: Expected): Refusal | undefined {
  const wrong =
    claims.iss !== claims.sub || claims.sub !== expected.subject
      ? 'iss and sub are not the device'
      : claims.aud !== expected.audience
        ? `aud is another service, this one is ${expected.audience}`
        : claims.htm !== expected.method ||
            claims.htu !== createTargetUri(expected.audience, expected.path)
          ? `htm and htu are another request, this one is ${expected.method} ${expected.path}`
          : claims.exp <= claims.iat || claims.exp > claims.iat + assertionKind.lifetimeS
            ? `exp is not within ${assertionKind.lifetimeS} s of iat`
            : undefined
  if (wrong !== undefined) return { problem: 'assertion-refused', reason: wrong }
  const made = toIssuedAtMs(claims)
  if (Math.abs(made - expected.now) > clockSkewMs) {
    return { problem: 'clock-skewed', reason: 'iat is too far from now' }
  }
  if (claims.exp * 1000 < expected.now) {
    return { problem: 'clock-skewed', reason: 'it has expired' }
  }
  if (made <= expected.newest && !isFromFuture(expected.newest, expected.now)) {
    return { problem: 'assertion-replayed', reason: 'iat is not later than the last one' }
  }
  return undefined
}
