/** Whether a signature is one of a digest by the key of a certificate: a card may sign wrongly, or with another key. */
import { constants, createECDH, ECDH, type KeyObject, publicDecrypt, verify } from 'node:crypto'
import type { Digest } from './card-module.ts'
import { type CurveName, curves, invert, reduce, toNumber } from './curves.ts'
import { readPublicKey } from './key-type.ts'
import { isPaddedByPss } from './pss.ts'
import { fitToCurve, padForRsa } from './signature.ts'

/**
 * `key` as `readPublicKey` reads it, `signature` as CardModule.sign returns it. The runtime verifies signatures of messages
 * alone, and we have the digest.
 */
export function isSignatureOf(key: Uint8Array, digest: Digest, signature: Uint8Array): boolean {
  const publicKey = readPublicKey(key)
  // A card has the digest alone: it is the message.
  if (publicKey.asymmetricKeyType === 'ed25519')
    return verify(null, digest.bytes, publicKey, signature)
  const name = publicKey.asymmetricKeyDetails?.namedCurve
  if (name === undefined) return isRsaSignature(publicKey, digest, signature)
  if (name !== 'prime256v1' && name !== 'secp384r1') return false
  return isEllipticSignature(publicKey, name, digest, signature)
}

/** RSASSA-PKCS1-v1_5 (RFC 8017 §8.2.2), or RSASSA-PSS. */
function isRsaSignature(key: KeyObject, digest: Digest, signature: Uint8Array): boolean {
  try {
    const padding = constants.RSA_NO_PADDING
    const padded = publicDecrypt({ key, padding }, signature)
    if (digest.padding === 'pss') return isPaddedByPss(padded, digest)
    return padded.equals(padForRsa(digest, signature.length))
  } catch {
    return false
  }
}

/** ECDSA (FIPS 186-5 §6.4.2). */
function isEllipticSignature(
  key: KeyObject,
  name: CurveName,
  digest: Digest,
  signature: Uint8Array,
): boolean {
  const { bytes, order } = curves[name]
  const [r, s] = [signature.subarray(0, bytes), signature.subarray(bytes)].map(toNumber)
  if (!r || !s || r >= order || s >= order) return false
  const inverse = invert(s, order)
  const ofBase = (toNumber(fitToCurve(digest, bytes)) * inverse) % order
  const ofKey = (r * inverse) % order
  if (ofBase === 0n) return false
  const [first, second] = [multiplyBase(name, ofBase), multiplyPoint(name, ofKey, readPoint(key))]
  return addPoints(name, first, second).some((x) => x % order === r)
}

interface Point {
  readonly x: bigint
  readonly y: bigint
}

function multiplyBase(name: CurveName, factor: bigint): Point {
  const ecdh = createECDH(name)
  ecdh.setPrivateKey(toBytes(name, factor))
  return toPoint(name, ecdh.getPublicKey())
}

/** Of both points with the x of the product, one: a shared secret is an x alone. */
function multiplyPoint(name: CurveName, factor: bigint, point: Uint8Array): Point {
  const ecdh = createECDH(name)
  ecdh.setPrivateKey(toBytes(name, factor))
  const compressed = Buffer.concat([Buffer.of(0x02), ecdh.computeSecret(point)])
  const whole = ECDH.convertKey(compressed, name, undefined, undefined, 'uncompressed')
  return toPoint(name, Buffer.from(whole))
}

/** The x of first + second, and of first − second: which of them is meant is not known. */
function addPoints(name: CurveName, first: Point, second: Point): readonly bigint[] {
  const { prime } = curves[name]
  const inverse = invert(reduce(second.x - first.x, prime), prime)
  return [second.y, -second.y].map((y) => {
    const slope = reduce((y - first.y) * inverse, prime)
    return reduce(slope * slope - first.x - second.x, prime)
  })
}

function readPoint(key: KeyObject): Uint8Array {
  const { x = '', y = '' } = key.export({ format: 'jwk' })
  return Buffer.concat([Buffer.of(0x04), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')])
}

const toPoint = (name: CurveName, point: Uint8Array): Point => {
  const { bytes } = curves[name]
  return { x: toNumber(point.subarray(1, 1 + bytes)), y: toNumber(point.subarray(1 + bytes)) }
}

const toBytes = (name: CurveName, value: bigint): Buffer =>
  Buffer.from(value.toString(16).padStart(2 * curves[name].bytes, '0'), 'hex')
