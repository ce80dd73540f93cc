/** EMSA-PSS with MGF1 of the same hash and a salt of its length, for moduli of whole bytes (RFC 8017 §9.1.2). */
import { createHash } from 'node:crypto'
import type { Digest } from './card-module.ts'
import type { HashName } from './key-type.ts'

/** Whether an encoded message is one of this digest. */
export function isPaddedByPss(encoded: Uint8Array, { hash, bytes }: Digest): boolean {
  const { length } = bytes
  const dataLength = encoded.length - length - 1
  if (dataLength < length + 1 || encoded.at(-1) !== 0xbc || (encoded[0] ?? 0) >= 0x80) return false
  const seal = encoded.subarray(dataLength, -1)
  const mask = makeMask(hash, seal, dataLength)
  const data = encoded.subarray(0, dataLength).map((byte, at) => byte ^ (mask[at] ?? 0))
  // One bit is not part of the encoded message.
  data[0] = (data[0] ?? 0) & 0x7f
  const saltStart = dataLength - length
  const isFilled = data.subarray(0, saltStart - 1).every((byte) => byte === 0)
  if (!isFilled || data[saltStart - 1] !== 0x01) return false
  const sealed = [new Uint8Array(8), bytes, data.subarray(saltStart)]
  return createHash(hash).update(Buffer.concat(sealed)).digest().equals(seal)
}

/** MGF1 (RFC 8017 §B.2.1). */
function makeMask(hash: HashName, seed: Uint8Array, length: number): Uint8Array {
  const parts: Buffer[] = []
  for (let count = 0; Buffer.concat(parts).length < length; count += 1) {
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(count)
    parts.push(createHash(hash).update(seed).update(counter).digest())
  }
  return Buffer.concat(parts).subarray(0, length)
}
