/** The keystore cannot be used. The message is for the administrator who configured it. */
export class KeystoreRefused extends Error {
  readonly reason: string

  constructor(reason: string) {
    super(`Cannot use the keystore: ${reason}`)
    this.reason = reason
  }
}
