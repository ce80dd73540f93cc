/** The keystore cannot be used. */

/**
 * `locked`: the password does not open it, or it is damaged. `unreadable`: no password opens it here. `unusable`: it is open, and no
 * server can work with it. `expired`: its certificate has.
 */
export type RefusalKind = 'locked' | 'unreadable' | 'unusable' | 'expired'

/** The message is for the administrator who configured it. */
export class KeystoreRefused extends Error {
  readonly kind: RefusalKind
  readonly reason: string

  constructor(reason: string, kind: RefusalKind = 'unusable') {
    super(`Cannot use the keystore: ${reason}`)
    this.kind = kind
    this.reason = reason
  }
}
