/** Whether certificates were revoked, by OCSP and lists of their CAs, on Node, Bun, Deno and Workers. */
import { abortable } from '@cardwire/protocol/abortable'
import { readCertificate } from './certificate.ts'
import { createRevocationListCache } from './crl-cache.ts'
import type { StatusSubject } from './ocsp.ts'
import { type OwnLists, readOwnLists } from './own-lists.ts'
import { type RevocationCheckerOptions, readSettings } from './settings.ts'
import { findStatus } from './sources.ts'
import { StatusUnknownError } from './status.ts'

export type { RevocationCheckerOptions } from './settings.ts'

/** Why a certificate path is not accepted. */
export type RevocationFailure =
  /** The user's certificate, or that of a CA in its path, was revoked. */
  | 'certificate-revoked'
  /** No source has a valid answer, and the checker was told to refuse then. */
  | 'revocation-unknown'

/** The worst status of the certificates of a path. */
export interface RevocationResult {
  /** `revoked` also where `revokedAt` is after the time of the check. With a trusted time of use, compare the two yourself. */
  readonly status: 'good' | 'revoked' | 'unknown'
  /** What answered. Undefined if nothing did, or if the path is only a root. */
  readonly source?: 'ocsp' | 'crl'
  readonly revokedAt?: Date
  /** The CA's reason by its name in RFC 5280 §5.3.1, such as `keyCompromise`, if the CA gives one. */
  readonly reason?: string
  /** When the answer was true. */
  readonly thisUpdate?: Date
  /** When the CA has newer information at the latest. */
  readonly nextUpdate?: Date
  /** Why the status is unknown, for the log: at most 500 characters, without names of users. */
  readonly cause?: string
}

/** Checks whether certificates were revoked. */
export interface RevocationChecker {
  /**
   * Checks every certificate of a path but the root, and resolves with the worst status. Never rejects: what fails is `unknown`.
   *
   * The path must have been verified, because the checker requests URLs that are in its certificates, and trusts each issuer in it.
   *
   * @param path DER: first the user's certificate, then the issuer of each one, and the root last.
   * @param at When the certificate was used: now for a sign-in, or the time of a trusted timestamp. Only answers that are still valid
   *   at that time count. Newer ones count as well, unless the certificate had expired and the CA doesn't keep expired ones.
   * @param stapled Answers that came with the certificates, in DER: `OCSPResponse`, `BasicOCSPResponse` (RFC 6960) or `CertificateList`
   *   (RFC 5280), at most 20. Each is verified like one that was requested, except for the nonce.
   */
  check(
    path: readonly Uint8Array[],
    at: Date,
    stapled?: readonly Uint8Array[],
  ): Promise<RevocationResult>
  readonly onUnknown: 'accept' | 'refuse'
}

/** Certificates in a path, with the root. */
const maxPath = 10
const maxCauseLength = 500

const severity = { good: 0, unknown: 1, revoked: 2 } as const

/** Throws a `TypeError` that names the option which is invalid. */
export function createRevocationChecker(options: RevocationCheckerOptions): RevocationChecker {
  const settings = readSettings(options)
  const { clock, timeoutMs, toleranceMs, maxCacheBytes } = settings
  const cache = createRevocationListCache({ maxBytes: maxCacheBytes, clock })

  return {
    onUnknown: settings.onUnknown,
    async check(path, at, stapled = []) {
      const subjects = readPath(path)
      if (subjects === undefined) return { status: 'unknown', cause: 'the path cannot be read' }
      if (!(at instanceof Date) || Number.isNaN(at.getTime()))
        return { status: 'unknown', cause: 'the time is invalid' }
      const times = { at, now: new Date(clock()), toleranceMs }
      const signal = AbortSignal.timeout(timeoutMs)
      const own = await abortable(readOwnLists(settings), signal).catch(
        (): OwnLists => ({ lists: [], cause: 'they took too long' }),
      )
      const results = await Promise.all(
        subjects.map((subject, index) =>
          abortable(findStatus(subject, { times, stapled, own, settings, cache }), signal).catch(
            (error): RevocationResult => {
              const place = index === 0 ? 'certificate' : `CA ${index}`
              const cause = error instanceof StatusUnknownError ? error.message : 'it took too long'
              return { status: 'unknown', cause: `${place}: ${cause}`.slice(0, maxCauseLength) }
            },
          ),
        ),
      )
      return results.reduce(worseOf, results[0] ?? { status: 'good' })
    },
  }
}

/** Whether a path with this result is refused, and why; undefined: it is accepted. */
export function findRevocationFailure(
  { status }: RevocationResult,
  { onUnknown }: Pick<RevocationChecker, 'onUnknown'>,
): RevocationFailure | undefined {
  if (status === 'revoked') return 'certificate-revoked'
  return status === 'unknown' && onUnknown === 'refuse' ? 'revocation-unknown' : undefined
}

/** Of two that were revoked, the one that was revoked first. */
function worseOf(one: RevocationResult, other: RevocationResult): RevocationResult {
  const difference = severity[other.status] - severity[one.status]
  if (difference !== 0) return difference > 0 ? other : one
  return (other.revokedAt ?? one.revokedAt ?? 0) < (one.revokedAt ?? 0) ? other : one
}

/** Each certificate below the root, with its issuer. */
function readPath(path: readonly Uint8Array[]): readonly StatusSubject[] | undefined {
  if (!Array.isArray(path) || path.length === 0 || path.length > maxPath) return undefined
  try {
    const certificates = path.map(readCertificate)
    return certificates
      .slice(1)
      .map((issuer, index) => ({ certificate: certificates[index] ?? issuer, issuer }))
  } catch {
    return undefined
  }
}
