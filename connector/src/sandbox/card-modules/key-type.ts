/** What a card's key is, read from its certificate or its public key, and which hash algorithms it signs with. */
import { createPublicKey, type KeyObject, X509Certificate } from 'node:crypto'

export type HashName = 'sha1' | 'sha256' | 'sha384' | 'sha512'

export type KeyType = 'RSA-2048' | 'RSA-3072' | 'RSA-4096' | 'P-256' | 'P-384' | 'Ed25519'

/** The key in DER: of a certificate, or where a card has none, SubjectPublicKeyInfo. Throws when it is neither. */
export function readPublicKey(der: Uint8Array): KeyObject {
  try {
    return new X509Certificate(der).publicKey
  } catch {
    return createPublicKey({ key: Buffer.from(der), format: 'der', type: 'spki' })
  }
}

/** SubjectPublicKeyInfo; undefined: it cannot be read. */
export function readPublicKeyBytes(der: Uint8Array): Buffer | undefined {
  try {
    return readPublicKey(der).export({ format: 'der', type: 'spki' })
  } catch {
    return undefined
  }
}

/** Whether bytes that cannot be read as a certificate are one of this key: they contain it (RFC 5280 §4.1). */
export const containsKey = (unread: Uint8Array, publicKey: Buffer): boolean =>
  Buffer.from(unread).includes(publicKey.subarray(-keyTailBytes))

/** The end of SubjectPublicKeyInfo is the key: both coordinates of P-256, or a part of a modulus, in BER too. */
const keyTailBytes = 64

/** As `readPublicKey` reads it; undefined: it cannot be read, or its key is of a kind that no module uses. */
export function readKeyType(der: Uint8Array): KeyType | undefined {
  try {
    const { asymmetricKeyType, asymmetricKeyDetails } = readPublicKey(der)
    if (asymmetricKeyType === 'rsa') return rsaTypes.get(asymmetricKeyDetails?.modulusLength ?? 0)
    if (asymmetricKeyType === 'ed25519') return 'Ed25519'
    return curves.get(asymmetricKeyDetails?.namedCurve ?? '')
  } catch {
    return undefined
  }
}

/** By the bits of the modulus. */
const rsaTypes = new Map<number, KeyType>([
  [2048, 'RSA-2048'],
  [3072, 'RSA-3072'],
  [4096, 'RSA-4096'],
])

// As OpenSSL calls them.
const curves = new Map<string, KeyType>([
  ['prime256v1', 'P-256'],
  ['secp384r1', 'P-384'],
])

/** Bytes of r and of s. */
export const curveBytes: Readonly<Partial<Record<KeyType, number>>> = { 'P-256': 32, 'P-384': 48 }

export const isRsa = (type: KeyType): boolean => type.startsWith('RSA-')

/** Bytes of a digest. */
export const digestBytes: Readonly<Record<HashName, number>> = {
  sha1: 20,
  sha256: 32,
  sha384: 48,
  sha512: 64,
}

const allHashes: readonly HashName[] = ['sha256', 'sha384', 'sha512', 'sha1']

/** Best first. */
const hashes: Readonly<Record<KeyType, readonly HashName[]>> = {
  'RSA-2048': allHashes,
  'RSA-3072': allHashes,
  'RSA-4096': allHashes,
  'P-256': allHashes,
  'P-384': ['sha384', 'sha512', 'sha256', 'sha1'],
  Ed25519: ['sha512', 'sha256', 'sha384'],
}

/** Those that a key of this type signs with; a kind of card may have fewer. */
export const listHashes = (
  { hashes: own }: { readonly hashes?: Readonly<Partial<Record<KeyType, readonly HashName[]>>> },
  type: KeyType,
): readonly HashName[] => own?.[type] ?? hashes[type]
