/** The error of a check of an authentication, with its reasons. */

import type { RevocationFailure } from './revocation/checker.ts'
import type { CertificateFailure } from './trusted-path.ts'

/** Why a token is rejected. */
export type AuthenticationFailure =
  /** An option is invalid. The page is not the cause. */
  | 'settings-invalid'
  | 'token-malformed'
  /** The key of the certificate does not match the algorithm, or is too weak. */
  | 'key-unsupported'
  | CertificateFailure
  /** The key, the origin or the nonce differs. The token doesn't show which. */
  | 'signature-invalid'
  | RevocationFailure

/** Why an authentication is not accepted. `reason` is for the back end. */
export class AuthenticationError extends Error {
  override readonly name = 'AuthenticationError'
  readonly reason: AuthenticationFailure

  constructor(reason: AuthenticationFailure, message: string, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause })
    this.reason = reason
  }
}
