/** Whether a certificate is valid, meant for its use, and of an authority that the caller trusts. */
import type { X509Certificate } from '@peculiar/x509'
import { type Authorities, findPath, isValidAt } from './certificate-path.ts'

/** Why a certificate is not accepted. */
export type CertificateFailure =
  | 'certificate-expired'
  | 'certificate-not-yet-valid'
  /** The certificate is not for this use, or belongs to a CA. */
  | 'certificate-unsuitable'
  /** No path leads to one of your roots. */
  | 'certificate-untrusted'

export interface PathOptions {
  readonly authorities: Authorities
  readonly now: Date
  readonly purpose: Purpose
  readonly createError: (reason: CertificateFailure, message: string) => Error
}

/** What a certificate is to be used for. */
export interface Purpose {
  /** In a message: `it is not for …`. */
  readonly name: string
  readonly isSuitable: (certificate: X509Certificate) => boolean
  /** Extended key usages of which its authorities have one, if they have any. */
  readonly accepted: readonly string[]
}

/** The path to a root, both included. Rejects with what `createError` makes of the reason. */
export async function requirePath(
  certificate: X509Certificate,
  options: PathOptions,
): Promise<readonly X509Certificate[]> {
  requireValidity(certificate, options)
  requirePurpose(certificate, options)
  const { now, purpose } = options
  const demands = { now, accepted: purpose.accepted }
  const path = await findPath(certificate, options.authorities, demands)
  if (path !== undefined) return path
  throw options.createError(
    'certificate-untrusted',
    'Cannot trust the certificate: it does not chain to one of the roots',
  )
}

export function requireValidity(
  certificate: X509Certificate,
  { now, createError }: Pick<PathOptions, 'now' | 'createError'>,
): void {
  if (isValidAt(certificate, now)) return
  const isEarly = now < certificate.notBefore
  throw createError(
    isEarly ? 'certificate-not-yet-valid' : 'certificate-expired',
    isEarly
      ? `Cannot accept the certificate before ${certificate.notBefore.toISOString()}`
      : `Cannot accept the certificate: it expired on ${certificate.notAfter.toISOString()}`,
  )
}

export function requirePurpose(
  certificate: X509Certificate,
  { purpose, createError }: Pick<PathOptions, 'purpose' | 'createError'>,
): void {
  if (purpose.isSuitable(certificate)) return
  throw createError(
    'certificate-unsuitable',
    `Cannot accept the certificate: it is not for ${purpose.name}`,
  )
}
