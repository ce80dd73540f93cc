/** The proof that a user authenticated with a card: the token of Web eID, as a page gets it and its back end checks it. */
import * as z from 'zod/mini'

/** The algorithms of JWA (RFC 7518) that a token may have: those of which the hash is fixed by the algorithm. */
export const authenticationAlgorithm = z.enum(['ES256', 'ES384', 'RS256'])

const base64 = (maxLength: number) =>
  z.string().check(z.maxLength(maxLength), z.regex(/^[A-Za-z0-9+/]+={0,2}$/))

/**
 * Signed is H(H(origin) ‖ H(nonce)), with the hash of the algorithm: the token holds neither, so that it is worth nothing to a
 * verifier with another origin or nonce. Source: Web eID system architecture, authentication token format 1.0.
 */
export const authenticationToken = z.object({
  /** DER in base64. Whoever reads it has to check it: everybody can put a certificate into a token. */
  unverifiedCertificate: base64(24_000),
  algorithm: authenticationAlgorithm,
  /** In base64: PKCS #1 v1.5 for RSA, r ‖ s of equal length for ECDSA. */
  signature: base64(2_000),
  format: z.string().check(z.maxLength(20), z.regex(/^web-eid:1(\.\d+)?$/)),
  /** The address of the program that made it, with its version. */
  appVersion: z.string().check(z.maxLength(200)),
})

/** What a page gives its back end, which checks it with `verifyAuthentication`. */
export type AuthenticationToken = z.output<typeof authenticationToken>
