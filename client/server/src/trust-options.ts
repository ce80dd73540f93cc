/** What a back end trusts, for sign-ins and signatures, and how it is read. */
import type { X509Certificate } from '@peculiar/x509'
import { type Authorities, readCertificates } from './certificate-path.ts'
import type { RevocationChecker } from './revocation/checker.ts'

/** One or more certificates in PEM, or one in DER. */
export type CertificateSource = string | Uint8Array<ArrayBuffer>

/** Whom you trust, and when. */
export interface TrustOptions {
  /** The CAs that you trust to name users, such as a country's. */
  readonly roots: readonly CertificateSource[]
  /**
   * Certificates between those of users and the roots. A CA is not used if it has name constraints, RSA with less than 2048 bits, or an extended
   * key usage without the one that its users need.
   */
  readonly intermediates?: readonly CertificateSource[] | undefined
  /** Milliseconds since 1970, at which the certificates have to be valid; default: the runtime's clock. */
  readonly now?: number | undefined
  /** Asks the CAs whether a certificate in the path was revoked; default: this is not checked. Make one checker and keep it, because it caches. */
  readonly revocation?: RevocationChecker | undefined
}

export interface Trust {
  readonly authorities: Authorities
  readonly now: Date
  readonly revocation: RevocationChecker | undefined
}

/** Throws what `createError` makes of the option that cannot be used, and of what was expected. */
export function readTrust(
  { roots, intermediates = [], now = Date.now(), revocation }: TrustOptions,
  createError: (field: string, expected: string, cause?: unknown) => Error,
): Trust {
  const read = (
    field: string,
    sources: readonly CertificateSource[],
  ): readonly X509Certificate[] => {
    try {
      return readCertificates(sources)
    } catch (error) {
      throw createError(field, 'certificates in PEM or DER', error)
    }
  }
  if (!Array.isArray(roots) || roots.length === 0) {
    throw createError('roots', 'at least one certificate')
  }
  const time = new Date(now)
  if (Number.isNaN(time.getTime())) throw createError('now', 'milliseconds since 1970')
  if (revocation !== undefined && !isChecker(revocation))
    throw createError('revocation', 'a checker from createRevocationChecker')
  return {
    authorities: {
      roots: read('roots', roots),
      intermediates: read('intermediates', intermediates),
    },
    now: time,
    revocation,
  }
}

const isChecker = ({ check, onUnknown }: RevocationChecker): boolean =>
  typeof check === 'function' && ['accept', 'refuse'].includes(onUnknown)
