/** For back ends: checks a signature that a card made over a content or its digest. */
import { readSubject, type Subject, toDer } from '../certificate-subject.ts'
import type { Bytes } from '../der.ts'
import type { RevocationResult } from '../revocation/checker.ts'
import { readTrust, type TrustOptions } from '../trust-options.ts'
import { readCertificate } from './certificate-parts.ts'
import { isSigned, readSignerKey, type SignatureHash } from './signature-algorithms.ts'
import { invalidSetting, SignatureError } from './signature-error.ts'
import { contentLimits, readBytes, readChain, readDigest, readHash } from './signature-input.ts'
import { purposes, requireTrusted } from './signature-trust.ts'
import { isSignedDigest } from './signed-digest.ts'

/** A signature from `card.sign`, and whom you trust to sign. */
export interface SignatureOptions extends TrustOptions {
  /** What was signed, at most 256 MiB. Give either `content` or `digest`. */
  readonly content?: Uint8Array | undefined
  /** The digest that was signed, by `hash`. */
  readonly digest?: Uint8Array | undefined
  readonly hash: SignatureHash
  /** As `card.sign` returns it without `format`: PKCS #1 v1.5 for RSA, r and s concatenated for ECDSA. */
  readonly signature: Uint8Array
  /** The certificate of the key in DER, as `card.certificates` has it. */
  readonly certificate: Uint8Array
  /** CA certificates in DER that came from the page, such as `chain` of `card.certificates`: at most 10. */
  readonly chain?: readonly Uint8Array[] | undefined
}

/** Who signed. */
export interface SignatureResult {
  /** The certificate of the signer in DER. Use its issuer and serial number to look up the user. */
  readonly certificate: Uint8Array<ArrayBuffer>
  /** From the signer's certificate to the root, both included, in DER. */
  readonly path: readonly Uint8Array<ArrayBuffer>[]
  readonly subject: Subject
  /** With the option `revocation`: what the CAs said, at this moment. `unknown` only if the checker accepts that. */
  readonly revocation?: RevocationResult
}

/** Bytes of a signature by the largest key of RSA. */
const maxSignatureLength = 1024

/**
 * Checks that the key of a certificate signed a content or a digest, and that the certificate leads to one of `roots`, is valid now
 * and is meant for signatures: key usage digitalSignature or nonRepudiation, and if it has an extended key usage, one for documents or e-mail
 * (RFC 5280 §4.2.1.3, §4.2.1.12; RFC 9336). RSA by PKCS #1 v1.5 with 2048 to 8192 bits, and ECDSA on P-256, P-384 and P-521.
 *
 * Rejects with a `SignatureError`.
 */
export async function verifySignature(options: SignatureOptions): Promise<SignatureResult> {
  const trust = readTrust(options, invalidSetting)
  const hash = readHash(options.hash)
  const signed = readSigned(options, hash)
  const signature = readBytes('signature', options.signature, maxSignatureLength)
  const certificate = readCertificate(options.certificate)
  const key = readSignerKey(certificate)
  const chain = readChain(options.chain)
  const isGenuine =
    'content' in signed
      ? await isSigned(certificate, key, hash, { signature, data: signed.content })
      : isSignedDigest(certificate, key, { hash, digest: signed.digest, signature })
  if (!isGenuine) {
    throw new SignatureError(
      'signature-invalid',
      'Cannot accept the signature: it was made with a different key, or for different data or a different hash',
    )
  }
  const trusted = await requireTrusted(certificate, {
    trust,
    others: chain,
    at: trust.now,
    purpose: purposes.signature,
  })
  return { certificate: toDer(certificate), ...trusted, subject: readSubject(certificate) }
}

function readSigned(
  { content, digest }: SignatureOptions,
  hash: SignatureHash,
): { readonly content: Bytes } | { readonly digest: Bytes } {
  if ((content === undefined) === (digest === undefined))
    throw invalidSetting('content', 'either content or digest')
  return content === undefined
    ? { digest: readDigest(digest, hash) }
    : { content: readBytes('content', content, contentLimits.detached) }
}
