/** The error of a check of an authentication, with its reasons. */

/** Why a token is refused. */
export type AuthenticationFailure =
  /** An option cannot be used: nothing that the page sent. */
  | 'settings-invalid'
  | 'token-malformed'
  /** The key of the certificate does not fit the algorithm, or is too weak. */
  | 'key-unsupported'
  | 'certificate-expired'
  | 'certificate-not-yet-valid'
  /** The certificate is not for authentication. */
  | 'certificate-unsuitable'
  /** No path leads to one of your roots. */
  | 'certificate-untrusted'
  /** The signature is of another key, origin or nonce: the token does not show which. */
  | 'signature-invalid'

/** Why an authentication does not count; `reason` is for the back end. */
export class AuthenticationError extends Error {
  override readonly name = 'AuthenticationError'
  readonly reason: AuthenticationFailure

  constructor(reason: AuthenticationFailure, message: string, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause })
    this.reason = reason
  }
}
