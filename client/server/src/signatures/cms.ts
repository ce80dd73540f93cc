/**
 * Signatures in CMS (RFC 5652), as CAdES and PAdES have them. They are made in three steps: `prepareCms` makes all but the value of the
 * signature, a card signs its digest, and `completeCms` adds the value and checks it. The package does not export this module.
 */
import { readCertificate, readIssuerAndSerial } from './certificate-parts.ts'
import { type Bytes, empty, encode, isEqual, tags } from './der.ts'
import { identifiers } from './identifiers.ts'
import {
  defaultHash,
  digest,
  encodeHashAlgorithm,
  encodeSignatureAlgorithm,
  hashes,
  readSignerKey,
  type SignatureHash,
  toSignatureValue,
} from './signature-algorithms.ts'
import { invalidSetting, SignatureError } from './signature-error.ts'
import { encodeSignedAttributes, readMessageDigest } from './signed-attributes.ts'
import {
  encodeAttribute,
  encodeSignedData,
  readAttributes,
  readSignedData,
  type SignedDataParts,
  type Signer,
} from './signed-data.ts'
import { checkSigner, createInvalid } from './signer.ts'

/** What is signed, and with which certificate. */
export interface CmsOptions {
  /** The digest of the content, by `hash`. */
  readonly digest: Uint8Array
  /** The hash of the content, and of what the card signs. */
  readonly hash: SignatureHash
  /** The certificate of the key that signs, in DER. */
  readonly certificate: Uint8Array
  /** The certificates of its authorities in DER, which go into the signature. */
  readonly chain?: readonly Uint8Array[] | undefined
  /** The time that the signer claims, in whole seconds. PAdES has it in the document, and none here (ETSI EN 319 142-1 §6.3). */
  readonly signingTime?: Date | undefined
  /** The content itself, which goes into the signature. Without it, the signature is detached. */
  readonly content?: Uint8Array | undefined
}

/** The hash for the key of a certificate: SHA-256, or for ECDSA the one that has the strength of its curve. Throws like `prepareCms`. */
export const chooseHash = (certificate: Uint8Array): SignatureHash =>
  defaultHash(readSignerKey(readCertificate(certificate)))

/** What the card signs, and what `completeCms` needs. */
export interface PreparedCms {
  readonly hash: SignatureHash
  /** The digest of the signed attributes, by `hash`: what the card signs. */
  readonly digest: Bytes
  /** The signature in CMS, whose value has no bytes yet. */
  readonly state: Bytes
}

/** Rejects with a `SignatureError`: `settings-invalid`, `signature-malformed` (a certificate) or `key-unsupported`. */
export async function prepareCms(options: CmsOptions): Promise<PreparedCms> {
  const { hash, chain = [], content, signingTime } = options
  if (options.digest.length !== hashes[hash].bytes)
    throw invalidSetting('digest', `the ${hashes[hash].bytes} bytes of ${hash}`)
  const parsed = readCertificate(options.certificate)
  const certificate = new Uint8Array(parsed.rawData)
  const authorities = chain.map((one) => new Uint8Array(readCertificate(one).rawData))
  const signedAttributes = await encodeSignedAttributes({
    digest: options.digest,
    hash,
    certificate,
    signingTime,
  })
  const state = encodeSignedData({
    version: version1,
    digestAlgorithms: [encodeHashAlgorithm(hash)],
    contentType: identifiers.data,
    content: content && new Uint8Array(content),
    certificates: [certificate, ...authorities.filter((one) => !isEqual(one, certificate))],
    revocations: undefined,
    signers: [
      {
        version: version1,
        identity: readIssuerAndSerial(certificate),
        digestAlgorithm: encodeHashAlgorithm(hash),
        signedAttributes,
        signatureAlgorithm: encodeSignatureAlgorithm(readSignerKey(parsed), hash),
        signature: empty,
        unsignedAttributes: [],
      },
    ],
  })
  return { hash, digest: await digest(hash, signedAttributes), state }
}

/** CMSVersion 1: the signer is named by issuer and serial number, and the content is data (RFC 5652 §5.1, §5.3). */
const version1: Bytes = encode(tags.integer, Uint8Array.of(1))

/**
 * The whole signature in DER: `state`, with what the card made of its digest (PKCS #1 v1.5 for RSA, r and s concatenated for ECDSA).
 * Rejects with a `SignatureError`: `settings-invalid`, or `signature-invalid` where the key of the certificate did not sign this digest.
 */
export async function completeCms(state: Uint8Array, signature: Uint8Array): Promise<Bytes> {
  const { parts, signer } = readState(state)
  const certificate = parts.certificates.find((one) =>
    isEqual(readIssuerAndSerial(one), signer.identity),
  )
  const key = readSignerKey(readCertificate(certificate ?? empty))
  const value = toSignatureValue(new Uint8Array(signature), key)
  if (value === undefined) throw createInvalid()
  const complete = { ...parts, signers: [{ ...signer, signature: value }] }
  const { content } = parts
  await checkSigner(complete, {
    contentType: identifiers.data,
    digestOf: async (hash) =>
      content
        ? digest(hash, content)
        : readMessageDigest(readAttributes(signer.signedAttributes ?? empty)),
  })
  return encodeSignedData(complete)
}

function readState(state: Uint8Array): { parts: SignedDataParts; signer: Signer } {
  const expected = 'the state of a prepared signature'
  try {
    const parts = readSignedData(state)
    const [signer] = parts.signers
    if (signer?.signature.length === 0) return { parts, signer }
  } catch (error) {
    throw invalidSetting('state', expected, error)
  }
  throw invalidSetting('state', expected)
}

/** The value of a signature's one signer: what a signature timestamp is over (ETSI EN 319 122-1 §5.3). */
export function readSignatureValue(cms: Uint8Array): Bytes {
  return readOneSigner(readSignedData(cms)).signature
}

/** The signature with a signature timestamp (a TimeStampToken in DER), which is checked elsewhere (RFC 3161 appendix A). */
export function addSignatureTimestamp(cms: Uint8Array, token: Uint8Array): Bytes {
  const parts = readSignedData(cms)
  const signer = readOneSigner(parts)
  const attribute = encodeAttribute(identifiers.signatureTimestamp, token)
  const unsignedAttributes = [...signer.unsignedAttributes, attribute]
  return encodeSignedData({ ...parts, signers: [{ ...signer, unsignedAttributes }] })
}

function readOneSigner({ signers }: SignedDataParts): Signer {
  const [signer, ...more] = signers
  if (signer && more.length === 0) return signer
  throw new SignatureError(
    'signers-unsupported',
    `Cannot use the signature: it has ${signers.length} signers, expected one`,
  )
}
