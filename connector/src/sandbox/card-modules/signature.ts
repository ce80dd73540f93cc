/** What a card signs, and what its signature looks like: padding for RSA, r and s for elliptic curves. */

import { decodeTlv, encodeTlv, TlvError } from './ber-tlv.ts'
import { CardError } from './card-error.ts'
import type { Digest } from './card-module.ts'
import type { HashName } from './key-type.ts'

/** DigestInfo without the digest, as hex (RFC 8017 §9.2, note 1). */
const digestInfos: Readonly<Record<HashName, string>> = {
  sha1: '3021300906052b0e03021a05000414',
  sha256: '3031300d060960864801650304020105000420',
  sha384: '3041300d060960864801650304020205000430',
  sha512: '3051300d060960864801650304020305000440',
}

/** DigestInfo (RFC 8017 §9.2): what a card signs that pads by itself. */
export const toDigestInfo = ({ hash, bytes }: Digest): Uint8Array =>
  Buffer.concat([Buffer.from(digestInfos[hash], 'hex'), bytes])

/** EMSA-PKCS1-v1_5 (RFC 8017 §9.2): what an RSA key of this many bytes signs. */
export function padForRsa(digest: Digest, keyBytes: number): Uint8Array {
  const info = toDigestInfo(digest)
  const padded = new Uint8Array(keyBytes).fill(0xff)
  padded.set([0x00, 0x01])
  padded.set([0x00], keyBytes - info.length - 1)
  padded.set(info, keyBytes - info.length)
  return padded
}

/** The digest as a number of the curve: its leftmost bytes, or zeros before it (FIPS 186-5 §6.4.1). */
export function fitToCurve({ bytes }: Digest, curveBytes: number): Uint8Array {
  const fitted = new Uint8Array(curveBytes)
  const kept = bytes.subarray(0, curveBytes)
  fitted.set(kept, curveBytes - kept.length)
  return fitted
}

/** The signature of an RSA key of this many bytes (RFC 8017 §8.2.1). Throws `card-mute` when it has another length. */
export function requireLength(signature: Uint8Array, keyBytes: number): Uint8Array {
  if (signature.length !== keyBytes) throw unreadable()
  return signature
}

/** ECDSA-Sig-Value (RFC 3279 §2.2.3) as r and s of the curve's length. Throws `card-mute` when it is none. */
export function toRawSignature(der: Uint8Array, curveBytes: number): Uint8Array {
  const raw = new Uint8Array(2 * curveBytes)
  readIntegers(der).forEach((integer, at) => {
    const start = integer.findIndex((byte) => byte !== 0)
    // r and s are at least 1 (FIPS 186-5 §6.4.1).
    if (start < 0 || integer.length - start > curveBytes) throw unreadable()
    const digits = integer.subarray(start)
    raw.set(digits, (at + 1) * curveBytes - digits.length)
  })
  return raw
}

/** r and s as ECDSA-Sig-Value. */
export function toDerSignature(raw: Uint8Array): Uint8Array {
  const half = raw.length / 2
  const integers = [raw.subarray(0, half), raw.subarray(half)].map((digits) => {
    const start = digits.findIndex((byte) => byte !== 0)
    const significant = start < 0 ? digits.subarray(-1) : digits.subarray(start)
    // A first bit would be a sign (X.690 §8.3.3).
    const sign = (significant[0] ?? 0) >= 0x80 ? [0x00] : []
    return encodeTlv(0x02, Uint8Array.from([...sign, ...significant]))
  })
  return encodeTlv(0x30, ...integers)
}

function readIntegers(der: Uint8Array): readonly Uint8Array[] {
  try {
    const [sequence, ...others] = decodeTlv(der)
    const integers = sequence?.tag === 0x30 ? decodeTlv(sequence.value) : []
    if (others.length > 0 || integers.length !== 2 || integers.some(({ tag }) => tag !== 0x02))
      throw unreadable()
    return integers.map(({ value }) => value)
  } catch (error) {
    if (error instanceof TlvError) throw unreadable()
    throw error
  }
}

const unreadable = () =>
  new CardError(
    'card-mute',
    'Cannot use the signature: it does not have the form that cards return',
  )
