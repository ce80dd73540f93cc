/** Whether a certificate of a user leads to a certificate authority that the caller trusts (RFC 5280, section 6). */
// The library's decorators need this first.
import 'reflect-metadata'
import {
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  PemConverter,
  X509Certificate,
} from '@peculiar/x509'
import { requireOneSpelling } from './certificate-spelling.ts'

/** The authorities that the caller names: the path ends in a root, and may lead through intermediates. */
export interface Authorities {
  readonly roots: readonly X509Certificate[]
  readonly intermediates: readonly X509Certificate[]
}

/** Certificates between a user's and a root; more would be no path of a card. */
const maxIntermediates = 5
/** Signatures of authorities that are checked for a path: a stranger's authorities can be linked in more ways than anyone can try. */
const maxChecks = 100

/** The critical extensions that are understood below; RFC 5280 refuses a certificate with any other. */
const understoodExtensions: readonly string[] = [
  '2.5.29.15', // keyUsage
  '2.5.29.19', // basicConstraints
  '2.5.29.37', // extKeyUsage
  '2.5.29.17', // subjectAltName: names no server here
  '2.5.29.32', // certificatePolicies: every policy of a trusted authority is accepted
]

/** Restricts whom an authority may name: it is not understood, and counts also where it is not critical, against RFC 5280 §4.2.1.10. */
const nameConstraints = '2.5.29.30'

const anyExtendedKeyUsage = '2.5.29.37.0'
/** Bits of an authority's RSA key: who breaks a shorter one names any user. */
const minRsaBits = 2048
const strongHashes: readonly string[] = ['SHA-256', 'SHA-384', 'SHA-512']

/** What the library reads of a stranger's certificate: those of cards have about a hundred nodes, and each takes time. */
const berOptions = { maxDepth: 32, maxNodes: 1000 } as const

/**
 * Reads a certificate that a stranger sent. Throws where the bytes are no certificate in the DER of its authority: the library reads other
 * spellings, too, and looks for PEM in what is no DER, in a time that grows exponentially with some texts.
 */
export function parseUserCertificate(der: Uint8Array<ArrayBuffer>): X509Certificate {
  requireOneSpelling(der)
  return new X509Certificate(der, { berOptions })
}

/** Reads certificates in DER, or in PEM with one or more of them. Throws where a text holds none, or one cannot be read. */
export function readCertificates(
  sources: readonly (string | Uint8Array<ArrayBuffer>)[],
): readonly X509Certificate[] {
  return sources.flatMap((source) => {
    if (typeof source !== 'string') return [new X509Certificate(source)]
    const blocks = PemConverter.decode(source)
    if (blocks.length === 0) throw new Error('no certificate in PEM')
    return blocks.map((block) => new X509Certificate(block))
  })
}

/** The extended key usages of each use. */
export const acceptedUsages = {
  authentication: [ExtendedKeyUsage.clientAuth, anyExtendedKeyUsage],
  signature: [
    '1.3.6.1.5.5.7.3.36', // id-kp-documentSigning (RFC 9336)
    ExtendedKeyUsage.emailProtection, // what most cards have that name any
    '1.3.6.1.4.1.311.10.3.12', // of Microsoft
    '1.2.840.113583.1.1.5', // of Adobe
    anyExtendedKeyUsage,
  ],
  timestamp: [ExtendedKeyUsage.timeStamping, anyExtendedKeyUsage],
} as const satisfies Record<string, readonly string[]>

/** Whether a certificate is meant for authentication: a user's signature certificate, or an authority's, is not. */
export const isForAuthentication = (certificate: X509Certificate): boolean =>
  isMeantFor(certificate, KeyUsageFlags.digitalSignature, acceptedUsages.authentication)

/**
 * Whether a certificate is meant for signatures of documents: by its key usage, which has to be there (ETSI EN 319 412-2 §4.3.2), and by its
 * extended key usage, which restricts it where it is there (RFC 5280 §4.2.1.12). One for sign-ins is not: its key signs what others choose.
 */
export const isForSignatures = (certificate: X509Certificate): boolean =>
  certificate.getExtension(KeyUsagesExtension) !== null &&
  isMeantFor(certificate, signatureUsages, acceptedUsages.signature)

/** Whether a certificate is meant for timestamps, and nothing else (RFC 3161 §2.3). */
export function isForTimestamps(certificate: X509Certificate): boolean {
  const purposes = certificate.getExtension(ExtendedKeyUsageExtension)
  return (
    purposes?.critical === true &&
    purposes.usages.length === 1 &&
    isMeantFor(certificate, signatureUsages, [ExtendedKeyUsage.timeStamping])
  )
}

const signatureUsages = KeyUsageFlags.digitalSignature | KeyUsageFlags.nonRepudiation

/** By one of the usages and one of the purposes, where the certificate has either extension; and not of an authority. */
function isMeantFor(
  certificate: X509Certificate,
  demanded: number,
  accepted: readonly string[],
): boolean {
  const usages = certificate.getExtension(KeyUsagesExtension)?.usages
  return (
    certificate.getExtension(BasicConstraintsExtension)?.ca !== true &&
    (usages === undefined || (usages & demanded) !== 0) &&
    hasAcceptedUsage(certificate, accepted)
  )
}

function hasAcceptedUsage(certificate: X509Certificate, accepted: readonly string[]): boolean {
  const usages = certificate.getExtension(ExtendedKeyUsageExtension)?.usages.map(String)
  return usages === undefined || usages.some((usage) => accepted.includes(usage))
}

/** What is demanded of each authority in a path. */
export interface PathDemands {
  readonly now: Date
  /** Extended key usages of which it has one, if it has any: an authority for servers names no users. */
  readonly accepted: readonly string[]
}

/**
 * The path from a certificate to a root, both included; undefined where there is none. A certificate that is itself among the
 * roots is its own path. Intermediates may be a stranger's: they lead to a root of the caller, or nowhere.
 */
export async function findPath(
  certificate: X509Certificate,
  { roots, intermediates }: Authorities,
  { now, accepted }: PathDemands,
): Promise<readonly X509Certificate[] | undefined> {
  const isRoot = (one: X509Certificate) => roots.some((root) => isSame(root, one))
  if (hasUnknownCriticalExtension(certificate)) return undefined
  if (isRoot(certificate)) return [certificate]
  const authorities = [...roots, ...intermediates]
  let checksLeft = maxChecks

  const extend = async (
    path: readonly X509Certificate[],
  ): Promise<readonly X509Certificate[] | undefined> => {
    const [last] = path.slice(-1)
    if (last === undefined || path.length > maxIntermediates + 1) return undefined
    for (const issuer of authorities) {
      if (path.includes(issuer) || last.issuer !== issuer.subject) continue
      if (!mayIssue(issuer, path.length - 1, now) || !hasAcceptedUsage(issuer, accepted)) continue
      checksLeft -= 1
      if (checksLeft < 0) return undefined
      if (!(await isIssuedBy(last, issuer))) continue
      const longer = [...path, issuer]
      const found = isRoot(issuer) ? longer : await extend(longer)
      if (found) return found
    }
    return undefined
  }
  return extend([certificate])
}

/** `between` is the number of intermediates that stand between the issuer and the user's certificate. */
function mayIssue(issuer: X509Certificate, between: number, now: Date): boolean {
  const constraints = issuer.getExtension(BasicConstraintsExtension)
  const usages = issuer.getExtension(KeyUsagesExtension)?.usages
  return (
    constraints?.ca === true &&
    (constraints.pathLength === undefined || between <= constraints.pathLength) &&
    (usages === undefined || (usages & KeyUsageFlags.keyCertSign) !== 0) &&
    isValidAt(issuer, now) &&
    issuer.getExtension(nameConstraints) === null &&
    !hasUnknownCriticalExtension(issuer) &&
    !hasWeakKey(issuer)
  )
}

interface KeyAlgorithm {
  readonly name: string
  readonly modulusLength?: number
}

function hasWeakKey({ publicKey }: X509Certificate): boolean {
  const { modulusLength = minRsaBits }: KeyAlgorithm = publicKey.algorithm
  return modulusLength < minRsaBits
}

async function isIssuedBy(certificate: X509Certificate, issuer: X509Certificate): Promise<boolean> {
  if (!strongHashes.includes(certificate.signatureAlgorithm.hash?.name ?? '')) return false
  return certificate
    .verify({ publicKey: issuer.publicKey, signatureOnly: true })
    .catch((): boolean => false)
}

export const isValidAt = ({ notBefore, notAfter }: X509Certificate, now: Date): boolean =>
  notBefore <= now && now <= notAfter

const hasUnknownCriticalExtension = ({ extensions }: X509Certificate): boolean =>
  extensions.some(({ critical, type }) => critical && !understoodExtensions.includes(type))

const isSame = (one: X509Certificate, other: X509Certificate): boolean => one.equal(other)
