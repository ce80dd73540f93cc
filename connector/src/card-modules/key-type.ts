/** What a card's key is, read from its certificate, and which hash algorithms it signs with. */
import { X509Certificate } from 'node:crypto'

export type HashName = 'sha1' | 'sha256' | 'sha384' | 'sha512'

export type KeyType = 'RSA-2048' | 'P-256' | 'P-384'

/** undefined: the certificate cannot be read, or its key is of a kind that no module uses. */
export function readKeyType(certificate: Uint8Array): KeyType | undefined {
  try {
    const { asymmetricKeyType, asymmetricKeyDetails } = new X509Certificate(certificate).publicKey
    if (asymmetricKeyType === 'rsa') {
      return asymmetricKeyDetails?.modulusLength === 2048 ? 'RSA-2048' : undefined
    }
    return curves.get(asymmetricKeyDetails?.namedCurve ?? '')
  } catch {
    return undefined
  }
}

// As OpenSSL calls them.
const curves = new Map<string, KeyType>([
  ['prime256v1', 'P-256'],
  ['secp384r1', 'P-384'],
])

/** Bytes of a digest. */
export const digestBytes: Readonly<Record<HashName, number>> = {
  sha1: 20,
  sha256: 32,
  sha384: 48,
  sha512: 64,
}

/** Best first. */
const hashes: Readonly<Record<KeyType, readonly HashName[]>> = {
  'RSA-2048': ['sha256', 'sha384', 'sha512', 'sha1'],
  'P-256': ['sha256', 'sha384', 'sha512', 'sha1'],
  'P-384': ['sha384', 'sha512', 'sha256', 'sha1'],
}

/** Those that a key of this type signs with; a kind of card may have fewer. */
export const listHashes = (
  { hashes: own }: { readonly hashes?: Readonly<Partial<Record<KeyType, readonly HashName[]>>> },
  type: KeyType,
): readonly HashName[] => own?.[type] ?? hashes[type]
