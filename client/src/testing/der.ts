/** The little of DER (X.690) that a test certificate is made of. */

type Bytes = Uint8Array<ArrayBuffer>

/** A value with its tag and length. `parts` are its content, one after the other. */
export function encode(tag: number, ...parts: readonly Uint8Array[]): Bytes {
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  return concat(Uint8Array.of(tag), encodeLength(length), ...parts)
}

export const sequence = (...parts: readonly Uint8Array[]): Bytes => encode(0x30, ...parts)

/** A number without a sign, from its bytes. */
export function integer(bytes: Uint8Array): Bytes {
  const start = bytes.findIndex((byte) => byte !== 0)
  const digits = start < 0 ? Uint8Array.of(0) : bytes.subarray(start)
  const isNegative = (digits[0] ?? 0) >= 0x80
  return encode(0x02, ...(isNegative ? [Uint8Array.of(0)] : []), digits)
}

export const utf8 = (text: string): Bytes => encode(0x0c, new TextEncoder().encode(text))

/** `YYMMDDHHMMSSZ`. */
export const utcTime = (text: string): Bytes => encode(0x17, new TextEncoder().encode(text))

/** What its hex digits stand for. */
export const hex = (digits: string): Bytes =>
  Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))

export const toHex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

export function concat(...parts: readonly Uint8Array[]): Bytes {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}

/** A test certificate is shorter than 64 KiB. */
function encodeLength(length: number): Bytes {
  if (length < 0x80) return Uint8Array.of(length)
  return length < 0x100
    ? Uint8Array.of(0x81, length)
    : Uint8Array.of(0x82, length >> 8, length & 0xff)
}
