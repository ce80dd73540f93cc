/** The proof that a user signed in with a card, as pages pass it on. */

/** What a page gives its back end, which checks it with `verifyAuthentication`: a token of Web eID, format 1.0. */
export interface AuthenticationToken {
  /** The user's certificate, DER in base64. Anyone can put any certificate here, so don't rely on it before you have verified the token. */
  readonly unverifiedCertificate: string
  /** The algorithm of `signature`, as in JWA (RFC 7518). */
  readonly algorithm: 'ES256' | 'ES384' | 'RS256'
  /**
   * The signature over the hashes of your origin and your nonce, in base64. For RSA it is PKCS #1 v1.5. For ECDSA it is r and s
   * concatenated.
   */
  readonly signature: string
  /** The format of the token, such as `web-eid:1.0`. */
  readonly format: string
  /** The program that made the token, as a URI with its version. */
  readonly appVersion: string
}
