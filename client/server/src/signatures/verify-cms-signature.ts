/** For back ends: checks a signature by CAdES, as `completeSignature` and others make it. */
import { isEqual } from '../der.ts'
import { type CmsSignature, type CmsTrust, verifyParts } from './cms.ts'
import { digest, type SignatureHash } from './signature-algorithms.ts'
import { invalidSetting, SignatureError } from './signature-error.ts'
import { contentLimits, readBytes } from './signature-input.ts'
import { maxCmsLength, readSignedData } from './signed-data.ts'

/** A signature in CMS with its content, and whom you trust to sign. */
export interface CmsSignatureOptions extends CmsTrust {
  /** The signature in CMS (a file `.p7s` or `.p7m`), in DER or BER: at most 12 MiB. */
  readonly signature: Uint8Array
  /**
   * What was signed: at most 256 MiB, or a function that resolves with its digest by a hash. You can leave it out if the signature contains it;
   * if you give it, both have to be the same.
   */
  readonly content?: Uint8Array | ((hash: SignatureHash) => Promise<Uint8Array>) | undefined
}

/** A signature that is verified. */
export interface CmsSignatureResult extends CmsSignature {
  /** The content in the signature; undefined if the signature has none. */
  readonly content: Uint8Array<ArrayBuffer> | undefined
}

/**
 * Checks a signature by CAdES B-B or B-T with one signer: the content and the attributes are those that its key signed, the attributes name
 * its certificate, and the certificate leads to one of `roots`, is meant for signatures, and was valid at the time of the timestamp (now, if
 * there is none).
 *
 * Rejects with a `SignatureError`. Source: RFC 5652, RFC 5035, RFC 3161, ETSI EN 319 122-1 §6.
 */
export async function verifyCmsSignature(
  options: CmsSignatureOptions,
): Promise<CmsSignatureResult> {
  const parts = readSignedData(readBytes('signature', options.signature, maxCmsLength))
  const inside = parts.content
  const outside = readContent(options)
  if (inside === undefined && outside === undefined)
    throw invalidSetting('content', 'what was signed, because the signature does not contain it')
  const digestOf = async (hash: SignatureHash): Promise<Uint8Array> => {
    const digests = [
      ...(inside ? [await digest(hash, inside)] : []),
      ...(outside ? [await outside(hash)] : []),
    ]
    const [first, second = first] = digests
    if (first && second && isEqual(first, second)) return first
    throw new SignatureError(
      'content-mismatch',
      'Cannot accept the signature: it contains a different content',
    )
  }
  return { ...(await verifyParts(parts, digestOf, options)), content: inside }
}

function readContent({
  content,
}: CmsSignatureOptions): ((hash: SignatureHash) => Promise<Uint8Array>) | undefined {
  if (content === undefined || typeof content === 'function') return content
  const bytes = readBytes('content', content, contentLimits.detached)
  return (hash) => digest(hash, bytes)
}
