/** The check of the one signer of a CMS signature: whose it is, and over what. It says nothing about whom the certificate is of. */
import type { X509Certificate } from '@peculiar/x509'
import { type Bytes, isEqual } from '../der.ts'
import { isIdentifiedBy, readCertificate } from './certificate-parts.ts'
import {
  findHash,
  fromSignatureValue,
  isSignatureAlgorithm,
  isSigned,
  readSignerKey,
  type SignatureHash,
  type SignerKey,
} from './signature-algorithms.ts'
import { malformed, SignatureError } from './signature-error.ts'
import {
  namesCertificate,
  readContentType,
  readMessageDigest,
  readSigningTime,
} from './signed-attributes.ts'
import {
  type Attributes,
  readAlgorithm,
  readAttributes,
  type SignedDataParts,
  type Signer,
} from './signed-data.ts'

export interface SignerOptions {
  /** What kind of content it has to be. */
  readonly contentType: string
  /** Resolves with the digest of the content by a hash. */
  readonly digestOf: (hash: SignatureHash) => Promise<Uint8Array>
  /** Whether the certificate may be named by its SHA-1, as many timestamps have it. */
  readonly acceptsSha1?: boolean
}

/** What the signature is, before its certificate is trusted. */
export interface CheckedSigner {
  readonly certificate: X509Certificate
  /** The other certificates in the signature, in DER. */
  readonly others: readonly Bytes[]
  readonly key: SignerKey
  readonly hash: SignatureHash
  readonly signingTime: Date | undefined
  readonly signer: Signer
}

/** Rejects with a `SignatureError` where the signer's key did not sign this content with this certificate. */
export async function checkSigner(
  parts: SignedDataParts,
  { contentType, digestOf, acceptsSha1 = false }: SignerOptions,
): Promise<CheckedSigner> {
  const [signer, ...more] = parts.signers
  if (!signer || more.length > 0) {
    throw new SignatureError(
      'signers-unsupported',
      `Cannot accept the signature: it has ${parts.signers.length} signers, expected one`,
    )
  }
  const { certificate, others } = findCertificate(parts, signer)
  const { attributes, signedAttributes, digestIn, signingTime } = readSigned(signer, contentType)
  if (parts.contentType !== contentType) throw malformed('its content is of another type')
  const key = readSignerKey(certificate)
  const hash = readHash(signer, key)
  await requireNamed(attributes, certificate, acceptsSha1)
  if (!isEqual(digestIn, await digestOf(hash))) {
    throw new SignatureError(
      'content-mismatch',
      'Cannot accept the signature: it was made for a different content',
    )
  }
  const signature = fromSignatureValue(signer.signature, key)
  if (
    !signature ||
    !(await isSigned(certificate, key, hash, { signature, data: signedAttributes }))
  )
    throw createInvalid()
  return { certificate, others, key, hash, signingTime, signer }
}

export const createInvalid = (): SignatureError =>
  new SignatureError(
    'signature-invalid',
    'Cannot accept the signature: it was made with a different key, or for different data',
  )

function findCertificate(
  { certificates }: SignedDataParts,
  { identity }: Signer,
): { readonly certificate: X509Certificate; readonly others: readonly Bytes[] } {
  if (certificates.length > maxCertificates)
    throw malformed(`it has more than ${maxCertificates} certificates`)
  const own = certificates.find((one) => isIdentifiedBy(one, identity))
  if (own === undefined) throw malformed('the certificate of its signer is missing')
  return {
    certificate: readCertificate(own),
    others: certificates.filter((one) => one !== own),
  }
}

/** Certificates in a signature: those of its signer and of authorities. */
const maxCertificates = 20

function readSigned({ signedAttributes }: Signer, contentType: string) {
  if (signedAttributes === undefined) throw malformed('it has no signed attributes')
  try {
    const attributes = readAttributes(signedAttributes)
    if (readContentType(attributes) !== contentType) throw new Error('another type of content')
    return {
      attributes,
      signedAttributes,
      digestIn: readMessageDigest(attributes),
      signingTime: readSigningTime(attributes),
    }
  } catch (error) {
    throw malformed('its signed attributes are missing, wrong, twice or not in DER', error)
  }
}

function readHash({ digestAlgorithm, signatureAlgorithm }: Signer, key: SignerKey): SignatureHash {
  try {
    const hash = findHash(readAlgorithm(digestAlgorithm))
    if (hash && isSignatureAlgorithm(readAlgorithm(signatureAlgorithm), key, hash)) return hash
  } catch {
    // Parameters, which those algorithms have not.
  }
  throw new SignatureError(
    'key-unsupported',
    'Cannot accept the signature: expected RSA by PKCS #1 v1.5, or ECDSA, with SHA-256, SHA-384 or SHA-512',
  )
}

async function requireNamed(
  attributes: Attributes,
  certificate: X509Certificate,
  acceptsSha1: boolean,
): Promise<void> {
  const isNamed = await namesCertificate(attributes, new Uint8Array(certificate.rawData), {
    acceptsSha1,
  }).catch((error: unknown) => {
    throw malformed('its attribute with the certificate is wrong', error)
  })
  if (isNamed) return
  throw new SignatureError(
    'certificate-mismatch',
    'Cannot accept the signature: it does not name its certificate, or a different one',
  )
}
