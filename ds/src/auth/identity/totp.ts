/** Time-based one-time passwords (RFC 6238), as every authenticator app makes them. */
import { Secret, TOTP } from 'otpauth'

/** SHA-1, six digits and 30 s: several apps ignore other values of the address. */
const parameters = { algorithm: 'SHA1', digits: 6, period: 30 }

/** The length of a secret in bytes, as RFC 4226 §4 recommends. */
export const totpSecretLength = 20

/** How many steps a code may be early or late: one, for clocks and the time that typing takes (RFC 6238 §5.2). */
export const totpWindow = 1

/** The time step of a moment, in milliseconds since 1970. */
export const getTotpStep = (now: number): number =>
  TOTP.counter({ period: parameters.period, timestamp: now })

/** The secret in Base32, as people type it. */
export const writeTotpSecret = (bytes: Uint8Array<ArrayBuffer>): string =>
  new Secret({ buffer: bytes.buffer }).base32

/** The address that apps read from a QR code. */
export const createTotpUri = (secret: string, account: string, issuer: string): string =>
  new TOTP({ ...parameters, issuer, label: account, secret }).toString()

/** The time step of a code that is right now; undefined for any other. */
export function findTotpStep(secret: string, code: string, now: number): number | undefined {
  const options = { ...parameters, secret: Secret.fromBase32(secret) }
  const delta = TOTP.validate({ ...options, token: code, timestamp: now, window: totpWindow })
  return delta === null ? undefined : getTotpStep(now) + delta
}
