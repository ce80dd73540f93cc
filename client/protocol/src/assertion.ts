/** Assertions: how a device proves with its identity key that a request is its own. */
import * as z from 'zod/mini'

/**
 * An assertion: a JWT (ES256, with this `typ` in its header) by the identity key, sent as `Authorization: Bearer`. Every
 * request of a device carries a new one.
 */
export const assertionKind = { typ: 'cw-device+jwt', algorithm: 'ES256', lifetimeS: 60 } as const

export const AssertionClaims = z.object({
  /** The device id; with a registration the thumbprint of the identity key (RFC 7638, SHA-256). */
  iss: z.string(),
  sub: z.string(),
  /** The address of the service, in the form of `serviceAudience`. */
  aud: z.string(),
  /** The method and the address of the request, as RFC 9449 §4.2 has them; `createTargetUri` makes the address. */
  htm: z.string(),
  htu: z.string(),
  /**
   * Seconds since 1970 with three decimals. Each assertion of a device is at least a millisecond later than the one before:
   * one that is not later is a replay.
   */
  iat: z.number(),
  /** At most 60 s after `iat`. An assertion that has expired by the clock of the service is `clock-skewed`. */
  exp: z.number(),
  jti: z.string().check(z.minLength(16), z.maxLength(64)),
  /** SHA-256 of the body's bytes, base64url without padding; of no bytes when there is no body. */
  body: z.string().check(z.length(43)),
})
export type AssertionClaims = z.output<typeof AssertionClaims>

/** Seconds that the clocks of device and service may differ; more is `clock-skewed`. */
export const clockSkewS = 60

/** The address of a service in canonical form: scheme and host in lower case, no default port, no slash at the end. */
export const serviceAudience = (url: string): string => new URL(url).href.replace(/\/+$/, '')

/** The `htu` of a request: the address of the service, in the form of `serviceAudience`, and the path without its query. */
export const createTargetUri = (audience: string, path: string): string =>
  `${audience}${path.replace(/\?.*$/s, '')}`
