/** What a back end gives to the check of an authentication, and how it is read. */
import { AuthenticationError } from './authentication-error.ts'
import { readTrust, type Trust, type TrustOptions } from './trust-options.ts'

/** What the back end expects of an authentication. */
export interface AuthenticationOptions extends TrustOptions {
  /** The origin of your page as browsers write it, such as `https://shop.example.com`. */
  readonly origin: string
  /** The nonce that you gave this session's page: 44 to 128 characters. Remove it from the session before you verify the token. */
  readonly nonce: string
}

const nonceLength = { min: 44, max: 128 } as const

/** Throws `settings-invalid`, which names the option that cannot be used. */
export function readOptions(options: AuthenticationOptions): Trust {
  const { origin, nonce } = options
  if (typeof origin !== 'string' || !URL.canParse(origin) || new URL(origin).origin !== origin) {
    throw invalidSettings('origin', 'an origin such as https://shop.example.com, without a path')
  }
  if (
    typeof nonce !== 'string' ||
    nonce.length < nonceLength.min ||
    nonce.length > nonceLength.max
  ) {
    throw invalidSettings('nonce', '44 to 128 characters, such as 32 random bytes in base64')
  }
  return readTrust(options, invalidSettings)
}

const invalidSettings = (field: string, expected: string, cause?: unknown): AuthenticationError =>
  new AuthenticationError('settings-invalid', `Cannot use ${field}: expected ${expected}`, cause)
