/** Whether a certificate is spelled as its authority gave it: in another spelling it would pass for another certificate. */

import { type Bytes, type Element, readElements, tags, toHex } from './der.ts'

/** ecdsa-with-SHA… (RFC 5758 §3.2), without the last byte. */
const ellipticAlgorithm = '06082a8648ce3d0403'

/**
 * The authority signs only the first part of a certificate. Throws when the rest could be written in another way: around and behind that part
 * (X.690 §10.1), in the algorithm, which is the same within it (RFC 5280 §4.1.1.2), or in the numbers of an elliptic signature.
 */
export function requireOneSpelling(der: Bytes): void {
  const [certificate] = readAll(der, [tags.sequence])
  const [signed, algorithm, signature] = readAll(certificate?.content, [
    tags.sequence,
    tags.sequence,
    tags.bits,
  ])
  const inner = readElements(signed?.content).find(({ tag }) => tag === tags.sequence)
  const name = toHex(algorithm?.whole)
  const [unusedBits, ...value] = signature?.content ?? []
  if (name !== toHex(inner?.whole) || unusedBits !== 0) throw createError()
  if (name.includes(ellipticAlgorithm)) requireTwoNumbers(Uint8Array.from(value))
}

/** ECDSA-Sig-Value (RFC 3279 §2.2.3). */
function requireTwoNumbers(value: Bytes): void {
  const [pair] = readAll(value, [tags.sequence])
  for (const { content } of readAll(pair?.content, [tags.integer, tags.integer])) {
    const [first = 0xff, second = 0] = content
    // Negative, or with a zero in front that says nothing (X.690 §8.3.2).
    if (first >= 0x80 || (first === 0 && second < 0x80)) throw createError()
  }
}

/** Elements with these tags, and nothing behind them. */
function readAll(data: Bytes | undefined, expected: readonly number[]): readonly Element[] {
  const found = readElements(data)
  if (found.map(({ tag }) => tag).join() !== expected.join()) throw createError()
  return found
}

const createError = () => new Error('not in the DER of its authority')
