/** Whether a certificate is spelled as its authority gave it: in another spelling it would pass for another certificate. */

interface Element {
  readonly tag: number
  /** With tag and length. */
  readonly whole: Uint8Array
  readonly content: Uint8Array
}

const tags = { integer: 0x02, bits: 0x03, sequence: 0x30 } as const
/** ecdsa-with-SHA… (RFC 5758 §3.2), without the last byte. */
const ellipticAlgorithm = '06082a8648ce3d0403'

/**
 * The authority signs only the first part of a certificate. Throws when the rest could be written in another way: around and behind that part
 * (X.690 §10.1), in the algorithm, which is the same within it (RFC 5280 §4.1.1.2), or in the numbers of an elliptic signature.
 */
export function requireOneSpelling(der: Uint8Array): void {
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
function requireTwoNumbers(value: Uint8Array): void {
  const [pair] = readAll(value, [tags.sequence])
  for (const { content } of readAll(pair?.content, [tags.integer, tags.integer])) {
    const [first = 0xff, second = 0] = content
    // Negative, or with a zero in front that says nothing (X.690 §8.3.2).
    if (first >= 0x80 || (first === 0 && second < 0x80)) throw createError()
  }
}

/** Elements with these tags, and nothing behind them. */
function readAll(data: Uint8Array | undefined, expected: readonly number[]): readonly Element[] {
  const found = readElements(data)
  if (found.map(({ tag }) => tag).join() !== expected.join()) throw createError()
  return found
}

/** The elements of a sequence, each with its length in the shortest form. */
function readElements(data: Uint8Array = new Uint8Array()): readonly Element[] {
  const found: Element[] = []
  for (let at = 0; at < data.length; ) {
    const [tag = 0, first = 0] = data.subarray(at, at + 2)
    const count = first < 0x80 ? 0 : first - 0x80
    const start = at + 2 + count
    const long = data.subarray(at + 2, start)
    const length = count === 0 ? first : long.reduce((sum, byte) => sum * 0x100 + byte, 0)
    const isShortest = count === 0 || (long[0] !== 0 && length >= 0x80)
    const end = start + length
    // No length, or a tag or a length that no certificate has.
    if (first === 0x80 || count > 3 || (tag & 0x1f) === 0x1f || !isShortest || end > data.length)
      throw createError()
    found.push({ tag, whole: data.subarray(at, end), content: data.subarray(start, end) })
    at = end
  }
  return found
}

const toHex = (bytes: Uint8Array = new Uint8Array()): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

const createError = () => new Error('not in the DER of its authority')
