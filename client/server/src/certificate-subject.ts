/** Whom a certificate names. */
import type { X509Certificate } from '@peculiar/x509'

/** Attributes by their short names (`CN`, `SN`, `G`, `C`, `serialNumber`…) or object identifiers, each with its values. */
export type Subject = Readonly<Record<string, readonly string[]>>

/** The attribute with the number of the user or card, which the library knows only by its identifier (X.520). */
const serialNumberOid = '2.5.4.5'

export function readSubject({ subjectName }: X509Certificate): Subject {
  const attributes = subjectName.toJSON().flatMap((part) => Object.entries(part))
  const names = new Set(attributes.map(([name]) => name))
  return Object.fromEntries(
    [...names].map((name) => [
      name === serialNumberOid ? 'serialNumber' : name,
      attributes.flatMap(([other, values]) => (other === name ? values : [])),
    ]),
  )
}

export const toDer = (certificate: X509Certificate): Uint8Array<ArrayBuffer> =>
  new Uint8Array(certificate.rawData)
