/** The certificate with which a card is about to sign, and the authorities that go into the signature with it. */
import type { X509Certificate } from '@peculiar/x509'
import { requirePurpose, requireValidity } from '../trusted-path.ts'
import { readCertificate } from './certificate-parts.ts'
import { defaultHash, readSignerKey, type SignatureHash } from './signature-algorithms.ts'
import { readChain, readHash } from './signature-input.ts'
import { createError, purposes } from './signature-trust.ts'

interface SigningOptions {
  readonly certificate: Uint8Array
  readonly chain?: readonly Uint8Array[] | undefined
  readonly hash?: SignatureHash | undefined
}

/** Throws a `SignatureError` where the certificate is not meant for signatures, or is not valid at the time. */
export function readSigningCertificate(
  options: SigningOptions,
  time: Date,
): {
  readonly certificate: X509Certificate
  readonly chain: readonly X509Certificate[]
  readonly hash: SignatureHash
} {
  const certificate = readCertificate(options.certificate)
  const hash = readHash(options.hash ?? defaultHash(readSignerKey(certificate)))
  requireValidity(certificate, { now: time, createError })
  requirePurpose(certificate, { purpose: purposes.signature, createError })
  return { certificate, chain: readChain(options.chain), hash }
}
