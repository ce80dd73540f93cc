/** Reads what a back end gives to the making and the verification of signatures. */
import type { X509Certificate } from '@peculiar/x509'
import type { Bytes } from '../der.ts'
import { readAuthorityCertificates } from './certificate-parts.ts'
import { hashes, type SignatureHash } from './signature-algorithms.ts'
import { invalidSetting } from './signature-error.ts'

/** Bytes of a content that is only hashed, and of one that goes into the signature. */
export const contentLimits = { detached: 256 * 1024 * 1024, attached: 8 * 1024 * 1024 } as const

/** Certificates that come with a signature. */
const maxChain = 10

export function readHash(hash: SignatureHash): SignatureHash {
  if (typeof hash === 'string' && Object.hasOwn(hashes, hash)) return hash
  throw invalidSetting('hash', Object.keys(hashes).join(', '))
}

/** A copy, so that the caller may change theirs meanwhile. */
export function readBytes(field: string, bytes: unknown, maxLength: number): Bytes {
  if (bytes instanceof Uint8Array && bytes.length <= maxLength) return new Uint8Array(bytes)
  throw invalidSetting(field, `a Uint8Array with at most ${maxLength} bytes`)
}

export function readDigest(digest: unknown, hash: SignatureHash): Bytes {
  const { bytes } = hashes[hash]
  if (digest instanceof Uint8Array && digest.length === bytes) return new Uint8Array(digest)
  throw invalidSetting('digest', `the ${bytes} bytes of ${hash}`)
}

export function readChain(chain: readonly Uint8Array[] = []): readonly X509Certificate[] {
  if (!Array.isArray(chain) || chain.length > maxChain)
    throw invalidSetting('chain', `at most ${maxChain} certificates in DER`)
  return readAuthorityCertificates(chain.map((der) => readBytes('chain', der, maxChainLength)))
}

const maxChainLength = 16 * 1024
