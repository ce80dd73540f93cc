/** What a card's private key does: the RSA primitive, and ECDSA over a digest that somebody else made. */
import { constants, createECDH, type KeyObject, privateDecrypt } from 'node:crypto'
import { encodeTlv } from '../card-modules/ber-tlv.ts'
import { type CurveName, curves, invert, toNumber } from '../card-modules/curves.ts'

/** Algorithm identifiers of the curves (SP 800-78-4, table 6-2). */
const algorithms: Readonly<Record<CurveName, number>> = { prime256v1: 0x11, secp384r1: 0x14 }
const rsa2048 = { algorithm: 0x07, bytes: 256 }

/** undefined: the key is not of this algorithm (SP 800-78-4, table 6-2), or the challenge is not of its length. */
export function signChallenge(
  key: KeyObject,
  algorithm: number,
  challenge: Uint8Array,
): Uint8Array | undefined {
  if (key.asymmetricKeyType === 'rsa') {
    if (algorithm !== rsa2048.algorithm || challenge.length !== rsa2048.bytes) return undefined
    // RSADP and RSASP1 are the same computation (RFC 8017 §5.2.1).
    return privateDecrypt({ key, padding: constants.RSA_NO_PADDING }, challenge)
  }
  const name = key.asymmetricKeyDetails?.namedCurve
  if (name !== 'prime256v1' && name !== 'secp384r1') return undefined
  // A shorter digest is a number all the same.
  if (algorithm !== algorithms[name] || challenge.length > curves[name].bytes) return undefined
  return signDigest(key, name, challenge)
}

/** ECDSA-Sig-Value (RFC 3279 §2.2.3); the steps are those of FIPS 186-5 §6.4.1. */
function signDigest(key: KeyObject, name: CurveName, digest: Uint8Array): Uint8Array {
  const { order, bytes } = curves[name]
  const d = toNumber(Buffer.from(key.export({ format: 'jwk' }).d ?? '', 'base64url'))
  for (;;) {
    const ephemeral = createECDH(name)
    // 04, x, y
    const point = ephemeral.generateKeys()
    const k = toNumber(ephemeral.getPrivateKey())
    const r = toNumber(point.subarray(1, 1 + bytes)) % order
    const s = (invert(k, order) * (toNumber(digest) + r * d)) % order
    if (r !== 0n && s !== 0n) return encodeTlv(0x30, toInteger(r), toInteger(s))
  }
}

function toInteger(value: bigint): Uint8Array {
  const digits = value.toString(16)
  const even = digits.length % 2 === 0 ? digits : `0${digits}`
  // A first bit that is set would say that it is negative.
  const positive = /^[89a-f]/.test(even) ? `00${even}` : even
  return encodeTlv(0x02, Buffer.from(positive, 'hex'))
}
