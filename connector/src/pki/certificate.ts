/** Reads X.509 certificates, without the library that creates them (`x509.ts`): few starts need it. */
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { type Constraints, decodeConstraints } from './constraints.ts'
import { decodeElements } from './der.ts'
import { readName, toIpName } from './names.ts'

/** A certificate and its private key (PKCS#8), both PEM. */
export interface CertificateKeyPair {
  readonly cert: string
  readonly key: string
}

/** A certificate, parsed. */
export interface Certificate {
  readonly pem: string
  readonly der: Uint8Array<ArrayBuffer>
  readonly subject: string
  readonly issuer: string
  /** Lower-case hexadecimal, without leading zeros that DER adds. */
  readonly serial: string
  /** Milliseconds since 1970, UTC. */
  readonly notBefore: number
  readonly notAfter: number
  /** SHA-256 over the DER, lower-case hexadecimal. */
  readonly fingerprint: string
  /** Subject alternative names: host names and addresses. */
  readonly names: readonly string[]
  readonly constraints: Constraints
  /** A certificate authority that may sign certificates. */
  readonly isAuthority: boolean
  /** For TLS servers, or for anything. */
  readonly forServers: boolean
}

const day = 24 * 60 * 60 * 1000
/** How long a root is valid, in milliseconds: ten years. */
export const rootLifeMs = 3652 * day
/** How long a leaf is valid, in milliseconds: under 398 days (CA/Browser Forum BR §6.3.2; some clients refuse more). */
export const leafLifeMs = 397 * day

/** id-kp-serverAuth and anyExtendedKeyUsage, RFC 5280 §4.2.1.12. */
const serverPurposes = ['1.3.6.1.5.5.7.3.1', '2.5.29.37.0']

/** Reads a certificate (PEM). Throws when the text is none. */
export function readCertificate(pem: string): Certificate {
  const read = new X509Certificate(pem)
  const der = new Uint8Array(read.raw)
  // What node:crypto calls the usage is the extended one.
  const purposes: readonly string[] | undefined = read.keyUsage
  return {
    pem,
    der,
    subject: toOneLine(read.subject),
    issuer: toOneLine(read.issuer),
    serial: read.serialNumber.toLowerCase().replace(/^(00)+(?=.)/, ''),
    notBefore: Date.parse(read.validFrom),
    notAfter: Date.parse(read.validTo),
    fingerprint: read.fingerprint256.replaceAll(':', '').toLowerCase(),
    names: readAlternativeNames(findExtension(der, oids.alternativeNames)),
    constraints: decodeConstraints(findExtension(der, oids.nameConstraints)),
    isAuthority: read.ca,
    forServers:
      purposes === undefined || purposes.some((purpose) => serverPurposes.includes(purpose)),
  }
}

/** PEM of DER: lines of 64 characters (RFC 7468 §3). */
export function encodePem(der: Uint8Array): string {
  const lines = Buffer.from(der)
    .toString('base64')
    .replace(/.{64}(?=.)/g, '$&\n')
  return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`
}

/** Whether a certificate was signed by the key of another. */
export function isSignedBy(certificate: string, issuer: string): boolean {
  const [signed, signer] = [new X509Certificate(certificate), new X509Certificate(issuer)]
  return signed.issuer === signer.subject && signed.verify(signer.publicKey)
}

/** Whether a private key (PEM) belongs to a certificate; false also when it cannot be read. */
export function isKeyOf(key: string, certificate: string): boolean {
  try {
    return new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key))
  } catch {
    return false
  }
}

const toOneLine = (name: string) => name.replaceAll('\n', ', ')

// DER: 2.5.29.17 and 2.5.29.30.
const oids = { alternativeNames: '551d11', nameConstraints: '551d1e' }
// RFC 5280 §4.1: the extensions of a certificate, an identifier, the value of one; §4.2.1.6: the names there are.
const tags = {
  extensions: 0xa3,
  oid: 0x06,
  octets: 0x04,
  email: 0x81,
  dns: 0x82,
  uri: 0x86,
  ip: 0x87,
}

/** The value of an extension; undefined: there is none. */
export function findExtension(der: Uint8Array, oid: string): Uint8Array | undefined {
  const [certificate] = decodeElements(der)
  const [signed] = decodeElements(certificate?.content ?? der)
  const list = decodeElements(signed?.content ?? der).find(({ tag }) => tag === tags.extensions)
  const extensions = list
    ? decodeElements(list.content).flatMap(({ content }) => decodeElements(content))
    : []
  for (const { content } of extensions) {
    const parts = decodeElements(content)
    const [id] = parts
    if (id?.tag !== tags.oid || Buffer.from(id.content).toString('hex') !== oid) continue
    // The critical flag may stand between.
    return parts.find(({ tag }) => tag === tags.octets)?.content
  }
  return undefined
}

/** The names that are texts or addresses, in the form in which they are compared. */
function readAlternativeNames(value: Uint8Array | undefined): readonly string[] {
  const [sequence] = value ? decodeElements(value) : []
  return decodeElements(sequence?.content ?? new Uint8Array()).flatMap(({ tag, content }) => {
    if (tag === tags.ip) return [toIpName(Uint8Array.from(content)).value]
    if (tag !== tags.dns && tag !== tags.email && tag !== tags.uri) return []
    const text = new TextDecoder().decode(content)
    return [readName(text)?.value ?? text]
  })
}
