/** Writes DER around elements that are written already, and finds what is not DER: the library writes again what it has read, not always alike. */

export type Bytes = Uint8Array<ArrayBuffer>

export const tags = {
  integer: 0x02,
  bits: 0x03,
  octets: 0x04,
  sequence: 0x30,
  set: 0x31,
  /** `[0]` and `[1]`, constructed. */
  first: 0xa0,
  second: 0xa1,
} as const

export const empty: Bytes = new Uint8Array()

export function concat(parts: readonly Uint8Array[]): Bytes {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

/** An element with its tag and the shortest length (X.690 §10.1). */
export function encode(tag: number, ...parts: readonly Uint8Array[]): Bytes {
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  return concat([encodeHeader(tag, length), ...parts])
}

function encodeHeader(tag: number, length: number): Bytes {
  if (length < 0x80) return Uint8Array.of(tag, length)
  const digits: number[] = []
  for (let rest = length; rest > 0; rest = Math.floor(rest / 0x100)) digits.unshift(rest % 0x100)
  return Uint8Array.of(tag, 0x80 + digits.length, ...digits)
}

export const sequence = (...parts: readonly Uint8Array[]): Bytes => encode(tags.sequence, ...parts)

/** SET OF, whose elements stand in the order of their bytes (X.690 §11.6). */
export const setOf = (tag: number, elements: readonly Uint8Array[]): Bytes =>
  encode(tag, ...elements.toSorted(compare))

/** An unsigned number: with a zero in front where its first bit would make it negative (X.690 §8.3). */
export function encodeUnsigned(digits: Uint8Array): Bytes {
  const start = digits.findIndex((byte) => byte !== 0)
  const shortest = start === -1 ? Uint8Array.of(0) : digits.subarray(start)
  return (shortest[0] ?? 0) < 0x80
    ? encode(tags.integer, shortest)
    : encode(tags.integer, Uint8Array.of(0), shortest)
}

export const toHex = (bytes: Uint8Array = empty): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

export const isEqual = (one: Uint8Array, other: Uint8Array): boolean =>
  one.length === other.length && one.every((byte, at) => byte === other[at])

/** By the first byte that differs; what ends first is first. */
export function compare(one: Uint8Array, other: Uint8Array): number {
  const at = one.findIndex((byte, index) => byte !== other[index])
  return at === -1 ? one.length - other.length : (one[at] ?? 0) - (other[at] ?? -1)
}

export interface Element {
  readonly tag: number
  /** With tag and length. */
  readonly whole: Bytes
  readonly content: Bytes
}

/** The elements of a part in DER: each with its length in the shortest form, and nothing behind the last. Throws where it is something else. */
export function readElements(part: Bytes = empty): readonly Element[] {
  const found: Element[] = []
  for (let at = 0; at < part.length; ) {
    const [tag = 0, first = 0] = part.subarray(at, at + 2)
    const count = first < 0x80 ? 0 : first - 0x80
    const start = at + 2 + count
    const digits = part.subarray(at + 2, start)
    const length = count === 0 ? first : digits.reduce((sum, digit) => sum * 0x100 + digit, 0)
    const isShortest = count === 0 || (digits[0] !== 0 && length >= 0x80)
    const end = start + length
    if (first === 0x80 || count > 3 || (tag & 0x1f) === 0x1f || !isShortest || end > part.length)
      throw new Error('not in DER')
    found.push({ tag, whole: part.subarray(at, end), content: part.subarray(start, end) })
    at = end
  }
  return found
}
