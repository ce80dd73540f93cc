/** What a back end gives to the check of an authentication, and how it is read. */
import type { X509Certificate } from '@peculiar/x509'
import { AuthenticationError } from './authentication-error.ts'
import { type Authorities, readCertificates } from './certificate-path.ts'
import type { RevocationChecker } from './revocation/checker.ts'

/** One or more certificates in PEM, or one in DER. */
export type CertificateSource = string | Uint8Array<ArrayBuffer>

/** What the back end expects of an authentication. */
export interface AuthenticationOptions {
  /** The origin of your page as browsers write it, such as `https://shop.example.com`. */
  readonly origin: string
  /** The nonce that you gave this session's page: 44 to 128 characters. Remove it from the session before you verify the token. */
  readonly nonce: string
  /** The CAs that you trust to name users, such as a country's. */
  readonly roots: readonly CertificateSource[]
  /** Certificates between those of users and the roots. */
  readonly intermediates?: readonly CertificateSource[] | undefined
  /** Milliseconds since 1970, at which the certificates have to be valid; default: the runtime's clock. */
  readonly now?: number | undefined
  /** Asks the CAs whether a certificate in the path was revoked; default: this is not checked. Make one checker and keep it, because it caches. */
  readonly revocation?: RevocationChecker | undefined
}

const nonceLength = { min: 44, max: 128 } as const

export interface ParsedOptions {
  readonly authorities: Authorities
  readonly now: Date
}

/** Throws `settings-invalid`, which names the option that cannot be used. */
export function readOptions({
  origin,
  nonce,
  roots,
  intermediates = [],
  now = Date.now(),
  revocation,
}: AuthenticationOptions): ParsedOptions {
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
  if (!Array.isArray(roots) || roots.length === 0) {
    throw invalidSettings('roots', 'at least one certificate')
  }
  const time = new Date(now)
  if (Number.isNaN(time.getTime())) throw invalidSettings('now', 'milliseconds since 1970')
  if (revocation !== undefined && !isChecker(revocation))
    throw invalidSettings('revocation', 'a checker from createRevocationChecker')
  return {
    authorities: {
      roots: readAuthorities('roots', roots),
      intermediates: readAuthorities('intermediates', intermediates),
    },
    now: time,
  }
}

function readAuthorities(
  field: string,
  sources: readonly CertificateSource[],
): readonly X509Certificate[] {
  try {
    return readCertificates(sources)
  } catch (error) {
    throw invalidSettings(field, 'certificates in PEM or DER', error)
  }
}

const isChecker = ({ check, onUnknown }: RevocationChecker): boolean =>
  typeof check === 'function' && ['accept', 'refuse'].includes(onUnknown)

const invalidSettings = (field: string, expected: string, cause?: unknown): AuthenticationError =>
  new AuthenticationError('settings-invalid', `Cannot use ${field}: expected ${expected}`, cause)
