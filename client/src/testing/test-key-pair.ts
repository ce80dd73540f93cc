/** A key of a test card: P-256, which signs data as WebCrypto does, and digests as a card does. */
import { concat, hex, integer, sequence, toHex } from './der.ts'

type Bytes = Uint8Array<ArrayBuffer>

export interface TestKeyPair {
  /** SubjectPublicKeyInfo (RFC 5280), in DER. */
  readonly publicKey: Bytes
  /** Hashes the data with SHA-256, and signs it; r and s concatenated. */
  signData(data: Bytes): Promise<Bytes>
  /** Signs a digest of any hash; r and s concatenated. */
  signDigest(digest: Uint8Array): Promise<Bytes>
}

const algorithm = { name: 'ECDSA', namedCurve: 'P-256' } as const
const keyBytes = 32
/** The order of the curve P-256 (SEC 2, section 2.4.2). */
const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n

export async function createTestKeyPair(): Promise<TestKeyPair> {
  const pair = await generate()
  const { d } = await exportNumbers(pair)
  return {
    publicKey: new Uint8Array(await crypto.subtle.exportKey('spki', pair.publicKey)),
    async signData(data) {
      const hash = { name: 'ECDSA', hash: 'SHA-256' }
      return new Uint8Array(await crypto.subtle.sign(hash, pair.privateKey, data))
    },
    async signDigest(digest) {
      // WebCrypto signs no digests. It makes the random number of the signature (FIPS 186-5, section 6.4.1) as the key of another pair.
      const { d: k, x } = await exportNumbers(await generate())
      const r = x % order
      const s = (invert(k) * ((toNumber(digest.subarray(0, keyBytes)) + r * d) % order)) % order
      return concat(toBytes(r), toBytes(s))
    },
  }
}

/** ECDSA-Sig-Value (RFC 3279) of r and s concatenated. */
export const toDerSignature = (raw: Uint8Array): Bytes =>
  sequence(integer(raw.subarray(0, keyBytes)), integer(raw.subarray(keyBytes)))

const generate = (): Promise<CryptoKeyPair> =>
  crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])

/** The private number, and the first coordinate of the public point. */
async function exportNumbers({
  privateKey,
}: CryptoKeyPair): Promise<{ readonly d: bigint; readonly x: bigint }> {
  const { d = '', x = '' } = await crypto.subtle.exportKey('jwk', privateKey)
  return { d: readNumber(d), x: readNumber(x) }
}

/** By Euclid's algorithm: the number that makes 1 of this one, modulo the order. */
function invert(number: bigint): bigint {
  let [dividend, divisor] = [order, number % order]
  let [last, next] = [0n, 1n]
  while (divisor > 0n) {
    const quotient = dividend / divisor
    ;[dividend, divisor] = [divisor, dividend - quotient * divisor]
    ;[last, next] = [next, last - quotient * next]
  }
  return ((last % order) + order) % order
}

/** From base64url (RFC 7515). */
const readNumber = (text: string): bigint =>
  toNumber(
    Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (character) =>
      character.charCodeAt(0),
    ),
  )
const toNumber = (bytes: Uint8Array): bigint => BigInt(`0x0${toHex(bytes)}`)
const toBytes = (number: bigint): Bytes => hex(number.toString(16).padStart(2 * keyBytes, '0'))
