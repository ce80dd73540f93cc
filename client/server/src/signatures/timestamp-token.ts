/** Timestamps (RFC 3161) that are there already: whether a service that the back end trusts made one for these data. */
import { fromBER } from 'asn1js'
import { TSTInfo } from 'pkijs'
import { toDer } from '../certificate-subject.ts'
import { type Bytes, isEqual } from '../der.ts'
import type { Trust } from '../trust-options.ts'
import { readAuthorityCertificates } from './certificate-parts.ts'
import { identifiers } from './identifiers.ts'
import { digest, findHash, type SignatureHash } from './signature-algorithms.ts'
import { SignatureError } from './signature-error.ts'
import { purposes, requireTrusted } from './signature-trust.ts'
import { readSignedData } from './signed-data.ts'
import { checkSigner } from './signer.ts'

/** A timestamp whose signature, certificate and imprint are verified. */
export interface Timestamp {
  /** When the service had seen the data. */
  readonly time: Date
  /** The certificate of the service in DER. */
  readonly certificate: Bytes
  /** From the certificate of the service to the root, both included, in DER. */
  readonly path: readonly Bytes[]
}

/** Bytes of a timestamp with its certificates: those of most services have 2,000 to 8,000. */
export const maxTokenLength = 64 * 1024
/** The clocks of services and of the back end may differ by this. */
export const maxClockDifferenceMs = 5 * 60_000

/** What a timestamp says. */
export interface TimestampInfo {
  readonly time: Date
  readonly hash: SignatureHash
  readonly imprint: Bytes
  /** The digits of a number; undefined where there is none. */
  readonly nonce: Bytes | undefined
}

/**
 * Checks that a TimeStampToken in DER is for data, of which `digestOf` resolves with the digest, and that its certificate leads to a root
 * now, is for timestamps only, and was valid at its time. Rejects with a `SignatureError` with the reason `timestamp-invalid`.
 */
export async function checkTimestamp(
  token: Bytes,
  digestOf: (hash: SignatureHash) => Promise<Uint8Array>,
  trust: Trust,
): Promise<Timestamp & { readonly info: TimestampInfo }> {
  try {
    return await check(token, digestOf, trust)
  } catch (error) {
    const cause = error instanceof Error ? error.message : 'it cannot be read'
    throw new SignatureError('timestamp-invalid', `Cannot accept the timestamp: ${cause}`, error)
  }
}

async function check(
  token: Bytes,
  digestOf: (hash: SignatureHash) => Promise<Uint8Array>,
  trust: Trust,
): Promise<Timestamp & { readonly info: TimestampInfo }> {
  if (token.length > maxTokenLength) throw new Error(`it is longer than ${maxTokenLength} bytes`)
  const parts = readSignedData(token)
  const { content } = parts
  if (content === undefined) throw new Error('it has no content')
  const { certificate, others } = await checkSigner(parts, {
    contentType: identifiers.timestampInfo,
    digestOf: (hash) => digest(hash, content),
    acceptsSha1: true,
  })
  const info = readTimestampInfo(content)
  if (!isEqual(info.imprint, await digestOf(info.hash))) throw new Error('it is for other data')
  const { time } = info
  if (time < certificate.notBefore || time > certificate.notAfter)
    throw new Error('its certificate was not valid at its time')
  if (time.getTime() > trust.now.getTime() + maxClockDifferenceMs) throw new Error('it is of later')
  const { path } = await requireTrusted(certificate, {
    trust,
    others: readAuthorityCertificates(others),
    at: trust.now,
    purpose: purposes.timestamp,
  })
  return { time, certificate: toDer(certificate), path, info }
}

/** TSTInfo (RFC 3161 §2.4.2). Throws for one with a critical extension, or with a hash that is not accepted. */
function readTimestampInfo(content: Bytes): TimestampInfo {
  const { offset, result } = fromBER(content, { maxDepth: 20, maxNodes: 200 })
  if (offset !== content.length) throw new Error('it is no timestamp')
  const info = new TSTInfo({ schema: result })
  const { hashAlgorithm, hashedMessage } = info.messageImprint
  const hash = findHash(hashAlgorithm.algorithmId)
  if (info.version !== 1 || Number.isNaN(info.genTime.getTime()))
    throw new Error('it is no timestamp')
  if (hash === undefined) throw new Error('its hash is not accepted')
  if (info.extensions?.some(({ critical }) => critical)) throw new Error('it has an extension')
  return {
    time: info.genTime,
    hash,
    imprint: new Uint8Array(hashedMessage.valueBlock.valueHexView),
    nonce: info.nonce && new Uint8Array(info.nonce.valueBlock.valueHexView),
  }
}
