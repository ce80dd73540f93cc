/**
 * WebCrypto that is done at once and gives the same bytes each time: keys come from the seed, and a signature is a code
 * over the public key (HMAC), which only who holds the key object can make in here. Encryption and hashes are real.
 */
import { createCipheriv, createDecipheriv, createPublicKey, hash, hkdfSync } from 'node:crypto'
import type { SeededRandom } from '../bed/random.ts'

/** A key; `jose` knows it by its tag. */
interface Key {
  readonly type: 'public' | 'private' | 'secret'
  readonly algorithm: { readonly name: string; readonly namedCurve?: string }
  readonly extractable: boolean
  readonly usages: readonly string[]
  readonly [Symbol.toStringTag]: 'CryptoKey'
  /** The public half, by which a signature is known. */
  readonly point: string
  readonly jwk?: Jwk
  readonly bytes?: Uint8Array
}

type Bytes = ArrayBuffer | ArrayBufferView
type Jwk = Readonly<Record<string, string>>
type Algorithm = string | { readonly name: string; readonly [name: string]: unknown }

const nameOf = (algorithm: Algorithm) =>
  typeof algorithm === 'string' ? algorithm : algorithm.name

const makeKey = (
  type: Key['type'],
  name: string,
  usages: readonly string[],
  content: { readonly point?: string; readonly jwk?: Jwk; readonly bytes?: Uint8Array },
): Key => ({
  ...{ type, extractable: true, usages, point: '', ...content },
  algorithm: { name, ...(name.startsWith('EC') && { namedCurve: 'P-256' }) },
  [Symbol.toStringTag]: 'CryptoKey',
})

const toBytes = (data: Bytes): Uint8Array =>
  data instanceof ArrayBuffer
    ? new Uint8Array(data)
    : new Uint8Array(data.buffer, data.byteOffset, data.byteLength)

/** 64 bytes, as a signature of P-256 has. */
const codeOf = ({ point }: Pick<Key, 'point'>, data: Bytes): Buffer =>
  new Bun.CryptoHasher('sha512', point).update(toBytes(data)).digest()

const toBuffer = (bytes: Uint8Array): ArrayBuffer => new Uint8Array(bytes).buffer

/** Key files are few, and read at every start of a device. */
const points = new Map<string, Jwk>()

function publicHalfOf(pkcs8: Uint8Array): Jwk {
  const name = pkcs8.toBase64()
  const known = points.get(name)
  if (known) return known
  const key = createPublicKey({ key: Buffer.from(pkcs8), format: 'der', type: 'pkcs8' } as never)
  const { kty = '', crv = '', x = '', y = '' } = key.export({ format: 'jwk' })
  const jwk = { kty, crv, x, y }
  points.set(name, jwk)
  return jwk
}

const pointOf = ({ x, y }: Jwk) => `${x}.${y}`

function createSubtle(random: () => SeededRandom) {
  return {
    async digest(_: Algorithm, data: Bytes) {
      return toBuffer(hash('sha256', toBytes(data), 'buffer'))
    },
    async generateKey(algorithm: Algorithm) {
      const number = () => random().bytes(32).toBase64({ alphabet: 'base64url', omitPadding: true })
      const jwk = { kty: 'EC', crv: 'P-256', x: number(), y: number() }
      const name = nameOf(algorithm)
      const point = pointOf(jwk)
      return {
        publicKey: makeKey('public', name, ['verify'], { point, jwk }),
        privateKey: makeKey('private', name, ['sign'], { point, jwk: { ...jwk, d: number() } }),
      }
    },
    async importKey(format: string, data: Bytes | Jwk, algorithm: Algorithm) {
      const name = nameOf(algorithm)
      if (format === 'jwk') {
        const jwk = data as Jwk
        const kind = jwk.d === undefined ? 'public' : 'private'
        return makeKey(kind, name, [kind === 'public' ? 'verify' : 'sign'], {
          ...{ point: pointOf(jwk), jwk },
        })
      }
      const bytes = new Uint8Array(toBytes(data as Bytes))
      if (format === 'raw') return makeKey('secret', name, ['deriveKey'], { bytes })
      const jwk = publicHalfOf(bytes)
      return makeKey('private', name, ['sign', 'deriveBits'], { point: pointOf(jwk), jwk })
    },
    async exportKey(_: string, { jwk }: Key) {
      return { ...jwk }
    },
    async sign(_: Algorithm, key: Key, data: Bytes) {
      return toBuffer(codeOf(key, data))
    },
    async verify(_: Algorithm, key: Key, signature: Bytes, data: Bytes) {
      return codeOf(key, data).equals(toBytes(signature))
    },
    async deriveKey(
      { salt, info }: { readonly salt: Bytes; readonly info: Bytes },
      { bytes = new Uint8Array() }: Key,
      { name }: { readonly name: string },
    ) {
      const derived = hkdfSync('sha256', bytes, toBytes(salt), toBytes(info), 32)
      return makeKey('secret', name, ['encrypt', 'decrypt'], { bytes: new Uint8Array(derived) })
    },
    async encrypt(
      { iv, additionalData }: { readonly iv: Bytes; readonly additionalData: Bytes },
      { bytes = new Uint8Array() }: Key,
      data: Bytes,
    ) {
      const cipher = createCipheriv('aes-256-gcm', bytes, toBytes(iv))
      cipher.setAAD(toBytes(additionalData))
      return toBuffer(
        Buffer.concat([cipher.update(toBytes(data)), cipher.final(), cipher.getAuthTag()]),
      )
    },
    async decrypt(
      { iv, additionalData }: { readonly iv: Bytes; readonly additionalData: Bytes },
      { bytes = new Uint8Array() }: Key,
      data: Bytes,
    ) {
      const sealed = toBytes(data)
      const decipher = createDecipheriv('aes-256-gcm', bytes, toBytes(iv))
      decipher.setAAD(toBytes(additionalData))
      decipher.setAuthTag(sealed.subarray(-16))
      return toBuffer(Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]))
    },
  }
}

/** A signature that holds, by whoever knows the public key alone: with WebCrypto nobody could. */
export const forgeSignature = (jwk: Jwk, data: Bytes): Buffer =>
  codeOf({ point: pointOf(jwk) }, data)

/** Puts it in the place of the runtime's own, random numbers included; the answer puts that back. */
export function replaceWebCrypto(random: () => SeededRandom): () => void {
  const own = globalThis.crypto
  const replace = (value: unknown) =>
    Object.defineProperty(globalThis, 'crypto', {
      ...{ value, configurable: true, enumerable: true, writable: true },
    })
  replace({
    subtle: createSubtle(random),
    randomUUID: () => random().uuid(),
    getRandomValues(array: Uint8Array) {
      array.set(random().bytes(array.length))
      return array
    },
  })
  return () => void replace(own)
}
