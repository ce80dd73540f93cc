/** Who a certificate is of, as its authority says. */
import type { X509Certificate } from 'node:crypto'

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

const readNumber = (certificate: X509Certificate): string | undefined =>
  toText(Object.entries(certificate.toLegacyObject().subject).find(isNumber)?.[1])

const isNumber = ([name]: readonly [string, unknown]) => name === 'serialNumber'

const toText = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : Array.isArray(value) ? value.join(', ') : undefined
