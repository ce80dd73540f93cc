/** Asks a timestamp service (RFC 3161) over http, within limits of time and size. */
import { CallFailure, readBody } from '@cardwire/protocol/call'
import { fromBER, Integer, OctetString } from 'asn1js'
import { AlgorithmIdentifier, MessageImprint, TimeStampReq, TimeStampResp } from 'pkijs'
import { type Bytes, isEqual, readElements } from '../der.ts'
import { type CertificateSource, readTrust, type TrustOptions } from '../trust-options.ts'
import { addSignatureTimestamp, readSignatureValue } from './cms.ts'
import { digest as digestOf, hashes, type SignatureHash } from './signature-algorithms.ts'
import { invalidSetting, SignatureError } from './signature-error.ts'
import {
  checkTimestamp,
  maxClockDifferenceMs,
  maxTokenLength,
  type Timestamp,
} from './timestamp-token.ts'

/** A timestamp service, and whom you trust to run one. */
export interface TimestampService extends TrustOptions {
  /** Where it takes requests (RFC 3161 §3.4), such as `http://timestamp.example.com`. Plain http is as safe: the response is signed. */
  readonly url: string
  /** The CAs that you trust to name timestamp services. */
  readonly roots: readonly CertificateSource[]
  /** Milliseconds since 1970; default: the runtime's clock. The time of the service may differ by five minutes. */
  readonly now?: number | undefined
  /** Default: the runtime's `fetch`. */
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined
}

const timeoutMs = 10_000

/**
 * A TimeStampToken in DER for a digest, verified. Rejects with a `SignatureError`: `settings-invalid`, `timestamp-unreachable`,
 * `timestamp-refused` or `timestamp-invalid`.
 */
export async function requestTimestamp(
  { hash, digest }: { readonly hash: SignatureHash; readonly digest: Uint8Array },
  service: TimestampService,
): Promise<Timestamp & { readonly token: Bytes }> {
  const url = readUrl(service.url)
  const trust = readTrust(service, (field, expected, cause) =>
    invalidSetting(`timestamp.${field}`, expected, cause),
  )
  const nonce = createNonce()
  const request = encodeRequest({ hash, digest, nonce })
  const token = readResponse(await send(url, request, service.fetch ?? globalThis.fetch))
  const { info, ...timestamp } = await checkTimestamp(
    token,
    (asked) =>
      asked === hash ? Promise.resolve(digest) : Promise.reject(new Error('it has another hash')),
    trust,
  )
  const isOwn = info.nonce !== undefined && isEqual(info.nonce, nonce)
  const differenceMs = Math.abs(timestamp.time.getTime() - trust.now.getTime())
  if (!isOwn || differenceMs > maxClockDifferenceMs) {
    throw new SignatureError(
      'timestamp-invalid',
      isOwn
        ? 'Cannot accept the timestamp: its time differs from that of this computer by more than five minutes'
        : 'Cannot accept the timestamp: it is for another request',
    )
  }
  return { ...timestamp, token }
}

/** A signature in CMS with a timestamp of its value (CAdES B-T, PAdES B-T). Rejects like `requestTimestamp`. */
export async function stampSignature(cms: Uint8Array, service: TimestampService): Promise<Bytes> {
  const { value, hash } = readSignatureValue(cms)
  const { token } = await requestTimestamp({ hash, digest: await digestOf(hash, value) }, service)
  return addSignatureTimestamp(cms, token)
}

function readUrl(url: string): string {
  if (
    typeof url === 'string' &&
    url.length <= 2000 &&
    /^https?:\/\//i.test(url) &&
    URL.canParse(url)
  )
    return url
  throw invalidSetting('timestamp.url', 'an address with https or http')
}

/** A positive number of 16 bytes in the shortest form. */
function createNonce(): Bytes {
  const nonce = globalThis.crypto.getRandomValues(new Uint8Array(16))
  nonce[0] = ((nonce[0] ?? 0) & 0x3f) | 0x40
  return nonce
}

function encodeRequest({
  hash,
  digest,
  nonce,
}: {
  readonly hash: SignatureHash
  readonly digest: Uint8Array
  readonly nonce: Bytes
}): Bytes {
  const request = new TimeStampReq({
    version: 1,
    messageImprint: new MessageImprint({
      hashAlgorithm: new AlgorithmIdentifier({ algorithmId: hashes[hash].identifier }),
      hashedMessage: new OctetString({ valueHex: new Uint8Array(digest).buffer }),
    }),
    nonce: new Integer({ valueHex: nonce.buffer }),
    certReq: true,
  })
  return new Uint8Array(request.toSchema().toBER())
}

async function send(
  url: string,
  body: Bytes,
  fetch: NonNullable<TimestampService['fetch']>,
): Promise<Bytes> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/timestamp-query' },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    })
    if (response.status !== 200) {
      response.body?.cancel().catch(() => 0)
      throw new SignatureError(
        'timestamp-refused',
        `Cannot get a timestamp: the service responded with ${response.status}`,
      )
    }
    return new Uint8Array(await (await readBody(response, maxTokenLength)).arrayBuffer())
  } catch (error) {
    if (error instanceof SignatureError) throw error
    const cause = error instanceof CallFailure ? error.message : 'it cannot be reached in time'
    throw new SignatureError('timestamp-unreachable', `Cannot get a timestamp: ${cause}`, error)
  }
}

/** The statuses `granted` and `grantedWithMods` (RFC 3161 §2.4.2). */
const granted: readonly number[] = [0, 1]

/** The token as the service wrote it. */
function readResponse(bytes: Bytes): Bytes {
  try {
    const { offset, result } = fromBER(bytes, {
      maxDepth: 40,
      maxNodes: 5000,
      parseEmbedded: false,
    })
    if (offset !== bytes.length) throw new Error('bytes behind it')
    const { status, timeStampToken } = new TimeStampResp({ schema: result })
    if (!granted.includes(status.status)) {
      throw new SignatureError(
        'timestamp-refused',
        `Cannot get a timestamp: the service rejected the request with status ${status.status}`,
      )
    }
    const [response] = readElements(bytes)
    const token = readElements(response?.content)[1]
    if (timeStampToken === undefined || token === undefined) throw new Error('no token')
    return token.whole
  } catch (error) {
    if (error instanceof SignatureError) throw error
    throw new SignatureError(
      'timestamp-invalid',
      'Cannot read the response of the timestamp service',
      error,
    )
  }
}
