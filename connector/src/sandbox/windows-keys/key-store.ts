/** The certificates that the system keeps for the user, and their keys. */
import type { StoredCertificate, StoreName } from './certificate-store.ts'
import type { KeyUse } from './sign-digest.ts'

/** Why a key was not used: the user gave up in a window of the system; the key is not there; or it cannot do this. */
export type KeyFailure = 'cancelled' | 'missing' | 'unsupported'

export interface KeyStore {
  /** Throws `store-unavailable`. */
  list(name: StoreName): Promise<readonly StoredCertificate[]>
  /**
   * The signature by the key of the user's certificate with this SHA-256 digest (lower-case hex). The system may ask the user
   * for a PIN, until the signal.
   */
  sign(fingerprint: string, use: KeyUse, signal: AbortSignal): Promise<Uint8Array | KeyFailure>
  /** Whether that key can be opened; undefined: it can. */
  open(fingerprint: string, signal: AbortSignal): Promise<KeyFailure | undefined>
}
