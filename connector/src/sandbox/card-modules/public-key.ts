/** Public keys as cards give them, as SubjectPublicKeyInfo (RFC 5280 §4.1). */
import { encodeTlv } from './ber-tlv.ts'

const hex = (text: string) => new Uint8Array(Buffer.from(text, 'hex'))
const sequence = (...parts: readonly Uint8Array[]) => encodeTlv(0x30, ...parts)
const bits = (value: Uint8Array) => encodeTlv(0x03, Uint8Array.of(0), value)

/** rsaEncryption, without parameters (RFC 3279 §2.3.1). */
const rsa = sequence(hex('06092A864886F70D010101'), hex('0500'))
/** id-ecPublicKey (RFC 5480 §2.1.1). */
const elliptic = hex('06072A8648CE3D0201')
/** id-Ed25519 (RFC 8410 §3). */
const ed25519 = sequence(hex('06032B6570'))

/** Both as unsigned numbers, most significant byte first. */
export const encodeRsaKey = (modulus: Uint8Array, exponent: Uint8Array): Uint8Array =>
  sequence(rsa, bits(sequence(encodeInteger(modulus), encodeInteger(exponent))))

/** `curve`: its object identifier, without tag and length; `point`: uncompressed. */
export const encodeEllipticKey = (curve: Uint8Array, point: Uint8Array): Uint8Array =>
  sequence(sequence(elliptic, encodeTlv(0x06, curve)), bits(point))

export const encodeEd25519Key = (point: Uint8Array): Uint8Array => sequence(ed25519, bits(point))

/** A first bit would be a sign (X.690 §8.3.3). */
function encodeInteger(value: Uint8Array): Uint8Array {
  const start = value.findIndex((byte) => byte !== 0)
  const digits = start < 0 ? Uint8Array.of(0) : value.subarray(start)
  return encodeTlv(0x02, ...((digits[0] ?? 0) >= 0x80 ? [Uint8Array.of(0)] : []), digits)
}
