/** What the check of revocation reads of certificates and signatures, by PKI.js. */
import { type AsnType, type BitString, fromBER } from 'asn1js'
import {
  type AlgorithmIdentifier,
  type BasicConstraints,
  Certificate,
  type CRLDistributionPoints,
  CryptoEngine,
  type Extension,
  type ExtKeyUsage,
  type InfoAccess,
  type PublicKeyInfo,
  RSAPublicKey,
} from 'pkijs'

export const engine = new CryptoEngine({ name: 'webcrypto', crypto: globalThis.crypto })

const oids = {
  keyUsage: '2.5.29.15',
  basicConstraints: '2.5.29.19',
  distributionPoints: '2.5.29.31',
  purposes: '2.5.29.37',
  informationAccess: '1.3.6.1.5.5.7.1.1',
  ocspAccess: '1.3.6.1.5.5.7.48.1',
} as const

/** The critical extensions of a certificate that are understood here. */
const understoodExtensions: readonly string[] = [
  oids.keyUsage,
  oids.basicConstraints,
  oids.distributionPoints,
  oids.purposes,
  '2.5.29.17', // subjectAltName
  '2.5.29.32', // certificatePolicies
  '1.3.6.1.5.5.7.48.1.5', // id-pkix-ocsp-nocheck
]

/** Bits of keyUsage in its first byte (RFC 5280 §4.2.1.3). */
export const keyUsages = { digitalSignature: 0x80, cRLSign: 0x02 } as const

const strongHashes: readonly string[] = ['SHA-256', 'SHA-384', 'SHA-512']

/** The most URLs of one kind that a certificate's status is asked at. */
const maxUrls = 3
/** GeneralName: uniformResourceIdentifier (RFC 5280 §4.2.1.6). */
export const urlName = 6

/** Throws where the bytes are not a certificate. */
export const readCertificate = (der: Uint8Array): Certificate => Certificate.fromBER(copy(der))

/** What is read of an answer before it is verified: one has some hundred nodes, and each takes time. */
const berOptions = { maxDepth: 32, maxNodes: 3000 } as const

/** The structure of an answer. Throws where the bytes are none, or have more nodes than an answer. */
export function readStructure(bytes: Uint8Array): AsnType {
  const { offset, result } = fromBER(copy(bytes), berOptions)
  if (offset === -1) throw new Error(result.error)
  return result
}

/** PKI.js reads an ArrayBuffer whole, also where a view covers a part of it. */
export const copy = (bytes: Uint8Array): ArrayBuffer => new Uint8Array(bytes).buffer

/** The value of an extension; undefined where there is none, or it cannot be read. */
export function readExtension<Value>(
  extensions: readonly Extension[] | undefined,
  oid: string,
): Value | undefined {
  const value = extensions?.find(({ extnID }) => extnID === oid)?.parsedValue
  return value === undefined || value.parsingError ? undefined : value
}

export const hasExtension = ({ extensions = [] }: Certificate, oid: string): boolean =>
  extensions.some(({ extnID }) => extnID === oid)

export const hasUnknownCritical = (
  extensions: readonly Extension[] | undefined,
  understood: readonly string[] = understoodExtensions,
): boolean =>
  extensions?.some(({ critical, extnID }) => critical && !understood.includes(extnID)) === true

export const isAuthority = ({ extensions }: Certificate): boolean =>
  readExtension<BasicConstraints>(extensions, oids.basicConstraints)?.cA === true

/** Whether a key may be used so. Without the extension it may be used for everything (RFC 5280 §6.3.3 f). */
export function allowsUsage(certificate: Certificate, usage: number): boolean {
  if (!hasExtension(certificate, oids.keyUsage)) return true
  const bits = readExtension<BitString>(certificate.extensions, oids.keyUsage)
  return ((bits?.valueBlock.valueHexView[0] ?? 0) & usage) !== 0
}

export const hasPurpose = ({ extensions }: Certificate, oid: string): boolean =>
  readExtension<ExtKeyUsage>(extensions, oids.purposes)?.keyPurposes.includes(oid) === true

export const isValidAt = ({ notBefore, notAfter }: Certificate, date: Date): boolean =>
  notBefore.value <= date && date <= notAfter.value

/** The URLs of the certificate's responders (RFC 5280 §4.2.2.1). */
export function listOcspUrls({ extensions }: Certificate): readonly string[] {
  const access = readExtension<InfoAccess>(extensions, oids.informationAccess)
  const names = access?.accessDescriptions
    .filter(({ accessMethod }) => accessMethod === oids.ocspAccess)
    .map(({ accessLocation }) => accessLocation)
  return listUrls(names)
}

/** The URLs of complete lists of the certificate's issuer: neither for some reasons, nor of another issuer (RFC 5280 §4.2.1.13). */
export function listCrlUrls({ extensions }: Certificate): readonly string[] {
  const points = readExtension<CRLDistributionPoints>(extensions, oids.distributionPoints)
  const names = points?.distributionPoints
    .filter(({ reasons, cRLIssuer }) => reasons === undefined && cRLIssuer === undefined)
    .flatMap(({ distributionPoint }) => (Array.isArray(distributionPoint) ? distributionPoint : []))
  return listUrls(names)
}

const listUrls = (
  names: readonly { readonly type: number; readonly value: unknown }[] = [],
): readonly string[] =>
  names
    .flatMap(({ type, value }) => (type === urlName && typeof value === 'string' ? [value] : []))
    .filter((url) => /^https?:/i.test(url))
    .slice(0, maxUrls)

export async function isIssuedBy(certificate: Certificate, issuer: Certificate): Promise<boolean> {
  const { tbsView, signatureAlgorithm, signatureValue } = certificate
  return (
    certificate.issuer.isEqual(issuer.subject) &&
    verifySignature(
      { data: tbsView, algorithm: signatureAlgorithm, signature: signatureValue },
      issuer.subjectPublicKeyInfo,
    )
  )
}

export interface SignedData {
  readonly data: Uint8Array
  readonly algorithm: AlgorithmIdentifier
  readonly signature: BitString
}

/** Bits of an RSA key: who breaks a shorter one says what they like. */
const minRsaBits = 2048

function isWeak({ parsedKey }: PublicKeyInfo): boolean {
  if (!(parsedKey instanceof RSAPublicKey)) return false
  const digits = parsedKey.modulus.valueBlock.valueHexView
  const zeros = digits.findIndex((byte) => byte !== 0)
  return zeros === -1 || (digits.length - zeros) * 8 < minRsaBits
}

/** Whether a key signed the data, with SHA-2: a stranger may collide what is signed with SHA-1. */
export async function verifySignature(
  { data, algorithm, signature }: SignedData,
  key: PublicKeyInfo,
): Promise<boolean> {
  try {
    if (!strongHashes.includes(engine.getHashAlgorithm(algorithm)) || isWeak(key)) return false
    return await engine.verifyWithPublicKey(copy(data), signature, key, algorithm)
  } catch {
    return false
  }
}
