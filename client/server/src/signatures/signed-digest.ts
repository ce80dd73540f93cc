/** Whether a signature is over a digest whose data are elsewhere: WebCrypto computes digests itself, and takes none. */
import { p256, p384, p521 } from '@noble/curves/nist.js'
import type { X509Certificate } from '@peculiar/x509'
import { type Bytes, concat, encode, readElements, sequence, tags, toHex } from '../der.ts'
import { encodeIdentifier } from './identifiers.ts'
import { hashes, type SignatureHash, type SignerKey } from './signature-algorithms.ts'

const curves = { 'P-256': p256, 'P-384': p384, 'P-521': p521 } as const

/** PKCS #1 v1.5 for RSA, r and s concatenated for ECDSA. */
export function isSignedDigest(
  { publicKey }: X509Certificate,
  key: SignerKey,
  {
    hash,
    digest,
    signature,
  }: {
    readonly hash: SignatureHash
    readonly digest: Uint8Array
    readonly signature: Bytes
  },
): boolean {
  try {
    const bits = readKeyBits(new Uint8Array(publicKey.rawData))
    if (key.type === 'RSA') return isSignedByRsa(bits, key.bits, { hash, digest, signature })
    // A number s above half of the order is as good as one below (FIPS 186-5), and cards do not choose.
    return curves[key.curve].verify(signature, digest, bits, { prehash: false, lowS: false })
  } catch {
    // A key or a signature of another form.
    return false
  }
}

/** The content of subjectPublicKey in SubjectPublicKeyInfo (RFC 5280 §4.1.2.7). */
function readKeyBits(spki: Bytes): Bytes {
  const [info] = readElements(spki)
  const [, bits] = readElements(info?.content)
  if (bits?.tag !== tags.bits || bits.content[0] !== 0) throw new Error('no key')
  return bits.content.subarray(1)
}

/** Bits of an exponent: others have 17, and more only take time. */
const maxExponentBits = 32

/** Compares the whole of what was signed, so that nothing in it needs to be read (RFC 8017 §8.2.2). */
function isSignedByRsa(
  key: Bytes,
  keyBits: number,
  {
    hash,
    digest,
    signature,
  }: {
    readonly hash: SignatureHash
    readonly digest: Uint8Array
    readonly signature: Bytes
  },
): boolean {
  const [numbers] = readElements(key)
  const [modulus, exponent] = readElements(numbers?.content).map(({ content }) => toNumber(content))
  const size = Math.ceil(keyBits / 8)
  const value = toNumber(signature)
  if (!modulus || !exponent || exponent >> BigInt(maxExponentBits) || value >= modulus) return false
  if (signature.length !== size) return false
  const signed = raise(value, exponent, modulus)
    .toString(16)
    .padStart(2 * size, '0')
  return signed === toHex(encodeMessage(hash, digest, size))
}

/** EMSA-PKCS1-v1_5 (RFC 8017 §9.2). */
function encodeMessage(hash: SignatureHash, digest: Uint8Array, size: number): Bytes {
  const algorithm = sequence(encodeIdentifier(hashes[hash].identifier), Uint8Array.of(0x05, 0))
  const info = sequence(algorithm, encode(tags.octets, digest))
  const padding = new Uint8Array(size - 3 - info.length).fill(0xff)
  return concat([Uint8Array.of(0, 1), padding, Uint8Array.of(0), info])
}

const toNumber = (digits: Bytes): bigint => BigInt(`0x${toHex(digits) || '0'}`)

function raise(base: bigint, exponent: bigint, modulus: bigint): bigint {
  let result = 1n
  for (const bit of exponent.toString(2)) {
    result = (result * result) % modulus
    if (bit === '1') result = (result * base) % modulus
  }
  return result
}
