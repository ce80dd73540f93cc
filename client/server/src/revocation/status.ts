/** What one source says of one certificate, and the times that it has to cover. */

/** An answer that was verified. */
export interface CertificateStatus {
  readonly status: 'good' | 'revoked'
  readonly source: 'ocsp' | 'crl'
  readonly revokedAt?: Date
  readonly reason?: string
  readonly thisUpdate: Date
  readonly nextUpdate?: Date
}

/** A source has no answer that can be used. Its message is for the log. */
export class StatusUnknownError extends Error {
  override readonly name = 'StatusUnknownError'
}

/** When a status is asked for. */
export interface StatusTimes {
  /** The time at which the certificate is used. */
  readonly at: Date
  /** The time of the check. */
  readonly now: Date
  /** Milliseconds by which clocks may differ. */
  readonly toleranceMs: number
}

/** CRLReason (RFC 5280 §5.3.1), by its number. */
const reasons: readonly string[] = [
  'unspecified',
  'keyCompromise',
  'cACompromise',
  'affiliationChanged',
  'superseded',
  'cessationOfOperation',
  'certificateHold',
  'unspecified',
  'removeFromCRL',
  'privilegeWithdrawn',
  'aACompromise',
]

export const nameReason = (code: number): string => reasons[code] ?? 'unspecified'

/**
 * Throws unless what was issued at `thisUpdate` exists already and is not outdated at `at` (RFC 6960 §4.2.2.1, RFC 5280 §6.3.3).
 * Without `nextUpdate`, newer information is always available: then it has to be as new as `at`.
 */
export function requireCurrent(
  { thisUpdate, nextUpdate = thisUpdate }: { thisUpdate: Date; nextUpdate?: Date | undefined },
  { at, now, toleranceMs }: StatusTimes,
): void {
  const times = [thisUpdate, nextUpdate].map((date) => date.getTime())
  const [from = Number.NaN, until = Number.NaN] = times
  if (!times.every(Number.isFinite)) throw new StatusUnknownError('its times cannot be read')
  if (from > now.getTime() + toleranceMs) throw new StatusUnknownError('it is of the future')
  if (until < at.getTime() - toleranceMs) throw new StatusUnknownError('it has expired')
}

/**
 * Throws when a CA may have dropped the entry of a certificate, because the answer is newer than the certificate, and the CA does not say
 * that it keeps entries of certificates that expired since `keptSince` (RFC 6960 §4.4.4; X.509 §9.5.2.8, expiredCertsOnCRL).
 */
export function requireKept(thisUpdate: Date, notAfter: Date, keptSince: Date | undefined): void {
  if (thisUpdate <= notAfter || (keptSince !== undefined && keptSince <= notAfter)) return
  throw new StatusUnknownError('the certificate had expired before it was issued')
}
