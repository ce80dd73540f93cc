/** Parts of a certificate as its authority wrote them: a signature names its certificate by them. */
import { SubjectKeyIdentifierExtension, type X509Certificate } from '@peculiar/x509'
import { isForSignatures, parseUserCertificate } from '../certificate-path.ts'
import { readSubject } from '../certificate-subject.ts'
import { type Bytes, isEqual, readElements, sequence, tags, toHex } from '../der.ts'
import { malformed } from './signature-error.ts'

/** Bytes of a certificate; those of cards have about 2,000. */
const maxCertificateLength = 16 * 1024

/** Throws `signature-malformed` where the bytes are no certificate in DER. */
export function readCertificate(der: Uint8Array): X509Certificate {
  if (der.length > maxCertificateLength)
    throw malformed(`a certificate is longer than ${maxCertificateLength} bytes`)
  try {
    const certificate = parseUserCertificate(new Uint8Array(der))
    // The library decodes extensions, names and key when they are first read.
    for (const read of [isForSignatures, readSubject, readKey]) read(certificate)
    return certificate
  } catch (error) {
    throw malformed('a certificate is not X.509 in DER', error)
  }
}

/** The certificates among what a stranger has put into a signature; whatever cannot be read leads nowhere. */
export const readAuthorityCertificates = (others: readonly Bytes[]): readonly X509Certificate[] =>
  others.flatMap((der) => {
    try {
      return [readCertificate(der)]
    } catch {
      return []
    }
  })

/** Whether a certificate is the one that a SignerIdentifier names: by issuer and serial number, or by the identifier of its key (RFC 5652 §5.3). */
export function isIdentifiedBy(der: Bytes, identity: Bytes): boolean {
  try {
    if (identity[0] === tags.sequence) return isEqual(readIssuerAndSerial(der), identity)
    const [element] = readElements(identity)
    const extension = readCertificate(der).getExtension(SubjectKeyIdentifierExtension)
    return extension?.keyId === toHex(element?.content)
  } catch {
    // What stands between the certificates, and is none.
    return false
  }
}

const readKey = ({ publicKey }: X509Certificate) => publicKey.algorithm

/** IssuerAndSerialNumber (RFC 5652 §10.2.4). */
export function readIssuerAndSerial(der: Bytes): Bytes {
  const [certificate] = readElements(der)
  const [signed] = readElements(certificate?.content ?? der)
  const [first, ...rest] = readElements(signed?.content ?? der)
  // A version, which only those of version 1 have not, stands in front.
  const [serial, , issuer] = first?.tag === tags.first ? rest : [first, ...rest]
  if (!serial || !issuer) throw malformed('a certificate has no issuer')
  return sequence(issuer.whole, serial.whole)
}
