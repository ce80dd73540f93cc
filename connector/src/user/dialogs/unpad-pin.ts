/** Takes a PIN out of its padding for encryption, without telling why there is none. */

import { type PinRule, readAlphabet } from '../../sandbox/card-modules/pin-rule.ts'
import { createSecretBytes } from '../../sandbox/card-modules/secret-bytes.ts'

/** Two bytes that begin the block, eight at least of padding, and a zero. */
const minOverheadBytes = 11

/**
 * The PIN in a block of RSAES-PKCS1-v1_5 (RFC 8017 §7.2.2), when the rule takes it. Padding that is wrong and a PIN that no card
 * takes are the same: whoever has a ciphertext of somebody else would otherwise decrypt it with a million questions
 * (Bleichenbacher 1998). No branch, no index and no length before the last comparison depends on what is in the block.
 */
export function unpadPin(
  block: Uint8Array,
  { min, max, alphabet }: PinRule,
): Uint8Array<ArrayBuffer> | undefined {
  const [first, last] = readAlphabet(alphabet)
  const size = block.length
  let faults = at(block, 0) | (at(block, 1) ^ 2)
  let isSearching = 1
  let start = 0
  for (let index = 2; index < size; index += 1) {
    const isEnd = isSearching & isLess(at(block, index), 1)
    start |= (index + 1) & -isEnd
    isSearching ^= isEnd
  }
  const length = size - start
  // Where no zero ends the padding, `start` is none.
  faults |= isLess(start, minOverheadBytes) | isLess(length, min) | isLess(max, length)
  for (let index = size - max; index < size; index += 1) {
    const byte = at(block, index)
    const isOfPin = 1 ^ isLess(index, start)
    faults |= isOfPin & (isLess(byte, first) | isLess(last, byte))
  }
  if (faults !== 0) return undefined
  const pin = createSecretBytes(length)
  pin.set(block.subarray(start))
  return pin
}

/** 1 when `a` is less than `b`, else 0; both below 2^31. */
const isLess = (a: number, b: number): number => ((a - b) >> 31) & 1

const at = (block: Uint8Array, index: number): number => block[index] ?? 0
