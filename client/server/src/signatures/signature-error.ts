/** The error of signatures, with its reasons. */

import type { RevocationFailure } from '../revocation/checker.ts'
import type { CertificateFailure } from '../trusted-path.ts'

/** Why a signature is not made or not accepted. The names that `verifyAuthentication` has too mean the same here. */
export type SignatureFailure =
  /** An option is invalid. The message names it. */
  | 'settings-invalid'
  /** A certificate, a CMS signature or a state can't be read, or is too long. */
  | 'signature-malformed'
  /** The key of the certificate does not match the hash or the algorithm, or is too weak. */
  | 'key-unsupported'
  | CertificateFailure
  | RevocationFailure
  /** The signature names another certificate than the one whose key it fits. */
  | 'certificate-mismatch'
  /** The content is not the one that was signed. */
  | 'content-mismatch'
  /** The signature has no signer, or more than one. */
  | 'signers-unsupported'
  /** The key or the signed data differs. */
  | 'signature-invalid'
  /** The timestamp service doesn't answer, or not in time. */
  | 'timestamp-unreachable'
  /** The timestamp service rejects the request. */
  | 'timestamp-refused'
  /** The timestamp is for something else, has a wrong signature, or its certificate is not for timestamps or not trusted. */
  | 'timestamp-invalid'

/** Why a signature is not made or not accepted. `reason` is for the back end. */
export class SignatureError extends Error {
  override readonly name = 'SignatureError'
  readonly reason: SignatureFailure

  constructor(reason: SignatureFailure, message: string, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause })
    this.reason = reason
  }
}

export const invalidSetting = (field: string, expected: string, cause?: unknown): SignatureError =>
  new SignatureError('settings-invalid', `Cannot use ${field}: expected ${expected}`, cause)

export const malformed = (what: string, cause?: unknown): SignatureError =>
  new SignatureError('signature-malformed', `Cannot read the signature: ${what}`, cause)
