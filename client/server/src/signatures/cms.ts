/**
 * Signatures in CMS (RFC 5652), as CAdES and PAdES have them. They are made in three steps: `prepareCms` makes all but the value of the
 * signature, a card signs its digest, and `completeCms` adds the value and checks it. The package does not export this module.
 */

import { readSubject, type Subject, toDer } from '../certificate-subject.ts'
import { type Bytes, empty, encode, isEqual, tags } from '../der.ts'
import type { RevocationResult } from '../revocation/checker.ts'
import {
  type CertificateSource,
  readTrust,
  type Trust,
  type TrustOptions,
} from '../trust-options.ts'
import {
  isIdentifiedBy,
  readAuthorityCertificates,
  readCertificate,
  readIssuerAndSerial,
} from './certificate-parts.ts'
import { identifiers } from './identifiers.ts'
import {
  defaultHash,
  digest,
  encodeHashAlgorithm,
  encodeSignatureAlgorithm,
  findHash,
  hashes,
  readSignerKey,
  type SignatureHash,
  toSignatureValue,
} from './signature-algorithms.ts'
import { invalidSetting, malformed, SignatureError } from './signature-error.ts'
import { purposes, requireTrusted } from './signature-trust.ts'
import { encodeSignedAttributes, readMessageDigest } from './signed-attributes.ts'
import {
  encodeAttribute,
  encodeSignedData,
  readAlgorithm,
  readAttributes,
  readSignedData,
  readUnsignedValues,
  type SignedDataParts,
  type Signer,
} from './signed-data.ts'
import { checkSigner, createInvalid } from './signer.ts'
import { checkTimestamp, type Timestamp } from './timestamp-token.ts'

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
  const certificate = parts.certificates.find((one) => isIdentifiedBy(one, signer.identity))
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

/** The value of a signature's one signer, which a signature timestamp is over, and the hash of the signer (ETSI EN 319 122-1 §5.3). */
export function readSignatureValue(cms: Uint8Array): {
  readonly value: Bytes
  readonly hash: SignatureHash
} {
  const { signature, digestAlgorithm } = readOneSigner(readSignedData(cms))
  return { value: signature, hash: findHash(readAlgorithm(digestAlgorithm)) ?? 'SHA-256' }
}

/** The signature with a signature timestamp (a TimeStampToken in DER), which is checked elsewhere (RFC 3161 appendix A). */
export function addSignatureTimestamp(cms: Uint8Array, token: Uint8Array): Bytes {
  const parts = readSignedData(cms)
  const signer = readOneSigner(parts)
  const attribute = encodeAttribute(identifiers.signatureTimestamp, token)
  const unsignedAttributes = [...signer.unsignedAttributes, attribute]
  return encodeSignedData({ ...parts, signers: [{ ...signer, unsignedAttributes }] })
}

/** Whom you trust to sign, and to make timestamps. */
export interface CmsTrust extends TrustOptions {
  /** The CAs that you trust to name timestamp services. Without them, timestamps are not read, and do not count. */
  readonly timestampRoots?: readonly CertificateSource[] | undefined
}

/** A signature that is verified, and its certificate accepted. */
export interface CmsSignature {
  /** The certificate of the signer in DER. */
  readonly certificate: Bytes
  /** From the signer's certificate to the root, both included, in DER. */
  readonly path: readonly Bytes[]
  readonly subject: Subject
  readonly hash: SignatureHash
  /** The time that the signer claims. It is not verified. */
  readonly signingTime: Date | undefined
  /**
   * With the option `revocation`: what the CAs said. `unknown` only if the checker accepts that, and `revoked` only if this was after the time of
   * the timestamp.
   */
  readonly revocation?: RevocationResult
  /** The earliest timestamp. The certificate was valid at its time. */
  readonly timestamp: Timestamp | undefined
}

/**
 * Verifies a signature by CAdES or PAdES without content, of whose content `digestOf` resolves with the digest by a hash. The certificate has to
 * be valid at the time of the timestamp, or now if there is none. Nothing may stand behind the signature, such as the zeros of a PDF document.
 * Rejects with a `SignatureError`.
 */
export async function verifyDetachedCms(
  cms: Uint8Array,
  digestOf: (hash: SignatureHash) => Promise<Uint8Array>,
  options: CmsTrust,
): Promise<CmsSignature> {
  const parts = readSignedData(cms)
  if (parts.content !== undefined)
    throw malformed('it has a content, expected a detached signature')
  return verifyParts(parts, digestOf, options)
}

/** Verifies a signature that was read. The content in it is not looked at. */
export async function verifyParts(
  parts: SignedDataParts,
  digestOf: (hash: SignatureHash) => Promise<Uint8Array>,
  options: CmsTrust,
): Promise<CmsSignature> {
  const trust = readTrust(options, invalidSetting)
  const timestampTrust = readTimestampTrust(options)
  const checked = await checkSigner(parts, { contentType: identifiers.data, digestOf })
  const { certificate, others, signer, hash, signingTime } = checked
  const timestamp = timestampTrust && (await findTimestamp(signer, timestampTrust))
  const trusted = await requireTrusted(certificate, {
    trust,
    others: readAuthorityCertificates(others),
    at: timestamp?.time ?? trust.now,
    isProven: timestamp !== undefined,
    purpose: purposes.signature,
  })
  return {
    certificate: toDer(certificate),
    ...trusted,
    subject: readSubject(certificate),
    hash,
    signingTime,
    timestamp,
  }
}

function readTimestampTrust({ timestampRoots, ...options }: CmsTrust): Trust | undefined {
  if (timestampRoots === undefined) return undefined
  return readTrust({ ...options, roots: timestampRoots }, (field, expected, cause) =>
    invalidSetting(field === 'roots' ? 'timestampRoots' : field, expected, cause),
  )
}

/** Timestamps of a signature that are read: each takes time. */
const maxTimestamps = 5

async function findTimestamp(signer: Signer, trust: Trust): Promise<Timestamp | undefined> {
  const tokens = readTokens(signer)
  const found: Timestamp[] = []
  for (const token of tokens) {
    const { info: _, ...timestamp } = await checkTimestamp(
      token,
      (hash) => digest(hash, signer.signature),
      trust,
    )
    found.push(timestamp)
  }
  return found.toSorted((one, other) => one.time.getTime() - other.time.getTime())[0]
}

function readTokens(signer: Signer): readonly Bytes[] {
  try {
    const tokens = readUnsignedValues(signer, identifiers.signatureTimestamp)
    if (tokens.length <= maxTimestamps) return tokens
  } catch (error) {
    throw malformed('its unsigned attributes cannot be read', error)
  }
  throw malformed(`it has more than ${maxTimestamps} timestamps`)
}

function readOneSigner({ signers }: SignedDataParts): Signer {
  const [signer, ...more] = signers
  if (signer && more.length === 0) return signer
  throw new SignatureError(
    'signers-unsupported',
    `Cannot use the signature: it has ${signers.length} signers, expected one`,
  )
}
