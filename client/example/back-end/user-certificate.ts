/** Who a certificate is of, as its authority says. */
// The library's decorators need this first.
import 'reflect-metadata'
import type { X509Certificate } from 'node:crypto'
import {
  KeyUsageFlags,
  KeyUsagesExtension,
  X509Certificate as ParsedCertificate,
} from '@peculiar/x509'

/** What the page shows of a certificate. */
export interface CertificateFacts {
  readonly name: string
  /** The number of the user or card, where the certificate has one. */
  readonly number: string | undefined
  readonly issuer: string
  /** ISO 8601. */
  readonly validUntil: string
}

export function describeCertificate(certificate: X509Certificate): CertificateFacts {
  const { subject, issuer } = certificate.toLegacyObject()
  return {
    name: toText(subject.CN) ?? 'a user without a name',
    number: readNumber(certificate),
    issuer: toText(issuer.CN) ?? toText(issuer.O) ?? 'an unnamed certificate authority',
    validUntil: certificate.validToDate.toISOString(),
  }
}

/** Whether two certificates are of one user: one authority gave them, to the same number, or to the same name where it gives none. */
export function isSameUser(one: X509Certificate, other: X509Certificate): boolean {
  if (one.issuer !== other.issuer) return false
  const number = readNumber(one)
  return number === undefined ? one.subject === other.subject : number === readNumber(other)
}

/** Whether the authority gave it for signatures that commit to their content (RFC 5280 §4.2.1.3), not for signing in. */
export function isForSignatures({ raw }: X509Certificate): boolean {
  const usage = new ParsedCertificate(new Uint8Array(raw)).getExtension(KeyUsagesExtension)
  return ((usage?.usages ?? 0) & KeyUsageFlags.nonRepudiation) !== 0
}

export const isValidAt = ({ validFromDate, validToDate }: X509Certificate, time: Date): boolean =>
  validFromDate <= time && time <= validToDate

const readNumber = (certificate: X509Certificate): string | undefined =>
  toText(Object.entries(certificate.toLegacyObject().subject).find(isNumber)?.[1])

const isNumber = ([name]: readonly [string, unknown]) => name === 'serialNumber'

const toText = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : Array.isArray(value) ? value.join(', ') : undefined
