/** A keystore that cannot be served, and why: a sentence for whoever configured it. */
export class KeystoreRefused extends Error {
  constructor(reason: string) {
    super(`Cannot use the keystore: ${reason}`)
  }
}
