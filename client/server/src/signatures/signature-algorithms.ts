/** The algorithms of signatures: their identifiers, and what each is in WebCrypto (RFC 5754, RFC 5758). */
import type { X509Certificate } from '@peculiar/x509'
import { type Bytes, concat, encode, encodeUnsigned, readElements, sequence, tags } from '../der.ts'
import { encodeIdentifier } from './identifiers.ts'
import { SignatureError } from './signature-error.ts'

/** Facts about each hash: bytes, its identifier, and those of the signatures over it. */
export const hashes = {
  'SHA-256': {
    bytes: 32,
    identifier: '2.16.840.1.101.3.4.2.1',
    rsa: '1.2.840.113549.1.1.11',
    ecdsa: '1.2.840.10045.4.3.2',
  },
  'SHA-384': {
    bytes: 48,
    identifier: '2.16.840.1.101.3.4.2.2',
    rsa: '1.2.840.113549.1.1.12',
    ecdsa: '1.2.840.10045.4.3.3',
  },
  'SHA-512': {
    bytes: 64,
    identifier: '2.16.840.1.101.3.4.2.3',
    rsa: '1.2.840.113549.1.1.13',
    ecdsa: '1.2.840.10045.4.3.4',
  },
} as const

/** A hash, as `card.sign` names it. */
export type SignatureHash = keyof typeof hashes

const hashNames = Object.keys(hashes) as readonly SignatureHash[]

/** The hash with an identifier; undefined for another, such as SHA-1. */
export const findHash = (identifier: string): SignatureHash | undefined =>
  hashNames.find((name) => hashes[name].identifier === identifier)

/** A signature with the key of any hash; the hash is that of the signer's digest (RFC 3370 §3.2). */
export const rsaEncryption = '1.2.840.113549.1.1.1'

/** Bytes of a number of each curve, and the hash that has its strength. */
const curves = {
  'P-256': { bytes: 32, hash: 'SHA-256' },
  'P-384': { bytes: 48, hash: 'SHA-384' },
  'P-521': { bytes: 66, hash: 'SHA-512' },
} as const satisfies Record<string, { bytes: number; hash: SignatureHash }>

type Curve = keyof typeof curves

/** Bits of an RSA key: fewer can be broken, more only take time. */
const rsaBits = { min: 2048, max: 8192 } as const

/** The kind of a certificate's key. */
export type SignerKey =
  | { readonly type: 'RSA'; readonly bits: number }
  | { readonly type: 'ECDSA'; readonly curve: Curve }

interface KeyAlgorithm {
  readonly name: string
  readonly namedCurve?: string
  readonly modulusLength?: number
}

/** Throws `key-unsupported` for a key of another kind, or a weak one. */
export function readSignerKey({ publicKey }: X509Certificate): SignerKey {
  const { name, namedCurve, modulusLength: bits = 0 }: KeyAlgorithm = publicKey.algorithm
  const curve = Object.keys(curves).find((one) => one === namedCurve) as Curve | undefined
  if (curve !== undefined) return { type: 'ECDSA', curve }
  if (name === 'RSASSA-PKCS1-v1_5' && bits >= rsaBits.min && bits <= rsaBits.max)
    return { type: 'RSA', bits }
  throw new SignatureError(
    'key-unsupported',
    'Cannot use the key of the certificate: expected RSA with 2048 to 8192 bits, or ECDSA on P-256, P-384 or P-521',
  )
}

/** The hash for a key where you choose none. */
export const defaultHash = (key: SignerKey): SignatureHash =>
  key.type === 'RSA' ? 'SHA-256' : curves[key.curve].hash

/** AlgorithmIdentifier: for RSA with NULL as parameters, for ECDSA without any (RFC 5754 §3). */
export function encodeSignatureAlgorithm(key: SignerKey, hash: SignatureHash): Bytes {
  return key.type === 'RSA'
    ? sequence(encodeIdentifier(hashes[hash].rsa), Uint8Array.of(0x05, 0))
    : sequence(encodeIdentifier(hashes[hash].ecdsa))
}

/** AlgorithmIdentifier without parameters (RFC 5754 §2). */
export const encodeHashAlgorithm = (hash: SignatureHash): Bytes =>
  sequence(encodeIdentifier(hashes[hash].identifier))

/** Whether an algorithm's identifier is that of a key with a hash. */
export const isSignatureAlgorithm = (
  identifier: string,
  { type }: SignerKey,
  hash: SignatureHash,
): boolean =>
  type === 'RSA'
    ? identifier === rsaEncryption || identifier === hashes[hash].rsa
    : identifier === hashes[hash].ecdsa

export async function digest(hash: SignatureHash | 'SHA-1', data: Bytes): Promise<Bytes> {
  return new Uint8Array(await globalThis.crypto.subtle.digest(hash, data))
}

/** Whether a signature as cards make it (PKCS #1 v1.5, or r and s concatenated) is that of a certificate's key over data. */
export async function isSigned(
  { publicKey }: X509Certificate,
  key: SignerKey,
  hash: SignatureHash,
  { signature, data }: { readonly signature: Bytes; readonly data: Bytes },
): Promise<boolean> {
  const { subtle } = globalThis.crypto
  const algorithm =
    key.type === 'RSA'
      ? { name: 'RSASSA-PKCS1-v1_5', hash }
      : { name: 'ECDSA', namedCurve: key.curve, hash }
  const imported = await subtle
    .importKey('spki', publicKey.rawData, algorithm, false, ['verify'])
    .catch((error: unknown) => {
      throw new SignatureError(
        'key-unsupported',
        'Cannot use the key of the certificate: this runtime does not support it',
        error,
      )
    })
  // A signature of another length is not valid to WebCrypto (W3C, ECDSA verify).
  return subtle.verify(algorithm, imported, signature, data)
}

/** The signature as CMS has it: ECDSA-Sig-Value for r and s (RFC 3279 §2.2.3), the bytes themselves for RSA. Undefined for a wrong length. */
export function toSignatureValue(signature: Bytes, key: SignerKey): Bytes | undefined {
  if (key.type === 'RSA')
    return signature.length === Math.ceil(key.bits / 8) ? signature : undefined
  const { bytes } = curves[key.curve]
  if (signature.length !== 2 * bytes) return undefined
  return sequence(
    encodeUnsigned(signature.subarray(0, bytes)),
    encodeUnsigned(signature.subarray(bytes)),
  )
}

/** The other way round. Undefined where it is no DER with two numbers of the curve. */
export function fromSignatureValue(value: Bytes, key: SignerKey): Bytes | undefined {
  if (key.type === 'RSA') return value
  const { bytes } = curves[key.curve]
  try {
    const [pair, ...behind] = readElements(value)
    if (pair?.tag !== tags.sequence || behind.length > 0) return undefined
    const numbers = readElements(pair.content).map((element) => readUnsigned(element.whole, bytes))
    const [r, s, ...more] = numbers
    return r && s && more.length === 0 ? concat([r, s]) : undefined
  } catch {
    return undefined
  }
}

/** The digits of an INTEGER with zeros in front; undefined where it is negative, too long or in another spelling. */
function readUnsigned(whole: Bytes, size: number): Bytes | undefined {
  const [element] = readElements(whole)
  if (element?.tag !== tags.integer) return undefined
  const { content } = element
  const digits = content[0] === 0 && content.length > 1 ? content.subarray(1) : content
  if (digits.length > size) return undefined
  const padded = concat([new Uint8Array(size - digits.length), digits])
  return encodeUnsigned(padded).join() === encode(tags.integer, content).join() ? padded : undefined
}
