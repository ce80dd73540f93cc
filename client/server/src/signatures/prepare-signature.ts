/** For back ends: signatures by CAdES B-B and B-T (ETSI EN 319 122-1) that a card makes in the page. */

import { toDer } from '../certificate-subject.ts'
import type { Bytes } from '../der.ts'
import { completeCms, prepareCms } from './cms.ts'
import { stampSignature, type TimestampService } from './request-timestamp.ts'
import { digest as digestOf, type SignatureHash } from './signature-algorithms.ts'
import { invalidSetting } from './signature-error.ts'
import { contentLimits, readBytes, readDigest } from './signature-input.ts'
import { readSigningCertificate } from './signing-certificate.ts'

/** What is signed, and with which certificate. */
export interface PrepareOptions {
  /** What is signed: at most 256 MiB, or 8 MiB if it goes into the signature. Give either `content` or `digest`. */
  readonly content?: Uint8Array | undefined
  /** The digest of a content that is elsewhere, by `hash`. */
  readonly digest?: Uint8Array | undefined
  /** The certificate of the key in DER, as `card.certificates` has it. */
  readonly certificate: Uint8Array
  /** CA certificates in DER that go into the signature, such as `chain` of `card.certificates`: at most 10. */
  readonly chain?: readonly Uint8Array[] | undefined
  /** One of `card.hashes()`. Default: SHA-256, or for ECDSA the one that has the strength of its curve. */
  readonly hash?: SignatureHash | undefined
  /** `false` puts `content` into the signature; default: `true`, the content is kept elsewhere. */
  readonly detached?: boolean | undefined
  /** The time that the signature claims, in whole seconds; default: the runtime's clock. */
  readonly signingTime?: Date | undefined
}

/** What the page gets (`hash` and `digest`, for `card.sign`), and what the server keeps. */
export interface PreparedSignature {
  readonly hash: SignatureHash
  /** The digest of the attributes that are signed, by `hash`. */
  readonly digest: Uint8Array<ArrayBuffer>
  /**
   * What `completeSignature` needs: at most 9 MiB with a content in it, else 200 KiB. Keep it on the server, in the user's session: a page that
   * could choose it would choose what is signed.
   */
  readonly state: Uint8Array<ArrayBuffer>
}

/** What the signature has besides what the card signed. */
export interface CompleteOptions {
  /** The service that makes a timestamp for the signature (RFC 3161), which proves when the signature existed: CAdES B-T. */
  readonly timestamp?: TimestampService | undefined
}

/**
 * Prepares a signature by CAdES B-B: `hash` and `digest` of the result go to `card.sign({ key, hash, digest })` in the page, and its signature to
 * `completeSignature`. The certificate has to be meant for signatures and valid at `signingTime`; whom it is of, `verifyCmsSignature` checks.
 *
 * Rejects with a `SignatureError`: `settings-invalid`, `signature-malformed` (a certificate), `key-unsupported`, `certificate-unsuitable`,
 * `certificate-expired` or `certificate-not-yet-valid`. Source: RFC 5652, RFC 5035, ETSI EN 319 122-1 §6.
 */
export async function prepareSignature(options: PrepareOptions): Promise<PreparedSignature> {
  const { signingTime = new Date(), detached = true } = options
  if (!(signingTime instanceof Date) || Number.isNaN(signingTime.getTime()))
    throw invalidSetting('signingTime', 'a Date')
  const signer = readSigningCertificate(options, signingTime)
  const { content, digest } = await readSigned(options, { hash: signer.hash, detached })
  return prepareCms({
    digest,
    hash: signer.hash,
    certificate: toDer(signer.certificate),
    chain: signer.chain.map(toDer),
    signingTime,
    content: detached ? undefined : content,
  })
}

async function readSigned(
  { content, digest }: PrepareOptions,
  { hash, detached }: { readonly hash: SignatureHash; readonly detached: boolean },
): Promise<{ readonly content?: Bytes; readonly digest: Bytes }> {
  if ((content === undefined) === (digest === undefined))
    throw invalidSetting('content', 'either content or digest')
  if (content === undefined) {
    if (!detached) throw invalidSetting('content', 'the content that goes into the signature')
    return { digest: readDigest(digest, hash) }
  }
  const limit = detached ? contentLimits.detached : contentLimits.attached
  const bytes = readBytes('content', content, limit)
  return { content: bytes, digest: await digestOf(hash, bytes) }
}

/**
 * Completes a signature: `prepared` is the result of `prepareSignature` or its `state`, `signature` what `card.sign` returned. Resolves with the
 * signature in CMS, DER: a file `.p7s`, or `.p7m` with the content in it. With `timestamp`, it has a timestamp (CAdES B-T).
 *
 * Rejects with a `SignatureError`: `settings-invalid`, `signature-invalid` if the key of the certificate did not sign, and those of timestamps
 * (`timestamp-unreachable`, `timestamp-refused`, `timestamp-invalid`), after which you can call it again.
 */
export async function completeSignature(
  prepared: PreparedSignature | Uint8Array,
  signature: Uint8Array,
  { timestamp }: CompleteOptions = {},
): Promise<Uint8Array<ArrayBuffer>> {
  const state = prepared instanceof Uint8Array ? prepared : prepared.state
  const cms = await completeCms(state, readBytes('signature', signature, maxSignatureLength))
  return timestamp === undefined ? cms : stampSignature(cms, timestamp)
}

/** Bytes of a signature by the largest key of RSA. */
const maxSignatureLength = 1024
