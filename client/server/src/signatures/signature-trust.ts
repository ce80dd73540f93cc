/** Whether the certificate of a signature is one that the back end accepts, at the time of the signature. */
import type { X509Certificate } from '@peculiar/x509'
import { acceptedUsages, isForSignatures, isForTimestamps } from '../certificate-path.ts'
import { toDer } from '../certificate-subject.ts'
import type { Bytes } from '../der.ts'
import type { RevocationFailure, RevocationResult } from '../revocation/checker.ts'
import { requireNotRevoked } from '../revocation-requirement.ts'
import type { Trust } from '../trust-options.ts'
import { type CertificateFailure, requirePath } from '../trusted-path.ts'
import { SignatureError } from './signature-error.ts'

export const purposes = {
  signature: {
    name: 'signatures',
    isSuitable: isForSignatures,
    accepted: acceptedUsages.signature,
  },
  timestamp: {
    name: 'timestamps',
    isSuitable: isForTimestamps,
    accepted: acceptedUsages.timestamp,
  },
} as const

export interface CertificateTrust {
  readonly trust: Trust
  /** Certificates that came with the signature: they lead to a root, or nowhere. */
  readonly others: readonly X509Certificate[]
  /** When the certificates have to be valid. */
  readonly at: Date
  /** Whether a trusted timestamp proves `at`. */
  readonly isProven?: boolean
  readonly purpose: (typeof purposes)[keyof typeof purposes]
}

export interface TrustedPath {
  /** From the certificate to a root, both included, in DER. */
  readonly path: readonly Bytes[]
  readonly revocation?: RevocationResult
}

/** Rejects with a `SignatureError`. */
export async function requireTrusted(
  certificate: X509Certificate,
  {
    trust: { authorities, revocation: checker },
    others,
    at,
    isProven = false,
    purpose,
  }: CertificateTrust,
): Promise<TrustedPath> {
  const intermediates = [...authorities.intermediates, ...others]
  const path = await requirePath(certificate, {
    authorities: { roots: authorities.roots, intermediates },
    now: at,
    purpose,
    createError,
  })
  const ders = path.map(toDer)
  const revocation = await requireNotRevoked(ders, { checker, at, isProven, createError })
  return { path: ders, ...(revocation && { revocation }) }
}

export const createError = (
  reason: CertificateFailure | RevocationFailure,
  message: string,
): SignatureError => new SignatureError(reason, message)
