/** Parts of a certificate as its authority wrote them: a signature names its certificate by them. */
// The library's decorators need this first.
import 'reflect-metadata'
import { SubjectKeyIdentifierExtension, X509Certificate } from '@peculiar/x509'
import { type Bytes, empty, isEqual, readElements, sequence, tags } from './der.ts'
import { malformed } from './signature-error.ts'

/** Bytes of a certificate; those of cards have about 2,000. */
const maxCertificateLength = 16 * 1024

/** What the library reads of a stranger's certificate: those of cards have about a hundred nodes, and each takes time. */
const berOptions = { maxDepth: 32, maxNodes: 1000 } as const

/** Throws `signature-malformed` where the bytes are no certificate in DER. */
export function readCertificate(der: Uint8Array): X509Certificate {
  if (der.length > maxCertificateLength)
    throw malformed(`a certificate is longer than ${maxCertificateLength} bytes`)
  try {
    const bytes = new Uint8Array(der)
    readElements(bytes)
    const certificate = new X509Certificate(bytes, { berOptions })
    // The library decodes extensions and key when they are first read.
    void [certificate.extensions, certificate.publicKey.algorithm]
    return certificate
  } catch (error) {
    throw malformed('a certificate is not X.509 in DER', error)
  }
}

/** Whether a certificate is the one that a SignerIdentifier names: by issuer and serial number, or by the identifier of its key (RFC 5652 §5.3). */
export function isIdentifiedBy(der: Bytes, identity: Bytes): boolean {
  try {
    if (identity[0] === tags.sequence) return isEqual(readIssuerAndSerial(der), identity)
    const [element] = readElements(identity)
    const extension = readCertificate(der).getExtension(SubjectKeyIdentifierExtension)
    return extension?.keyId === toHex(element?.content ?? empty)
  } catch {
    // What stands between the certificates, and is none.
    return false
  }
}

const toHex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

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
