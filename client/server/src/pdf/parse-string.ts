/** Reads the two kinds of strings of a PDF (ISO 32000-1, 7.3.4). */
import { isWhitespace } from './characters.ts'
import type { PdfString } from './objects.ts'
import { malformedPdf } from './pdf-error.ts'

interface ParsedString {
  readonly value: PdfString
  readonly end: number
}

/** Bytes of a string in the file: a signature with its certificates and revocation lists is the longest. */
const maxStringBytes = 8 * 1024 * 1024

const toParsed = (bytes: Uint8Array, start: number, end: number): ParsedString => ({
  value: { kind: 'string', bytes, start, end },
  end,
})

const tooLong = (start: number) => malformedPdf(`a string at byte ${start} is too long`)

/** `<48656c6c6f>`, from its first delimiter. */
export function parseHexString(bytes: Uint8Array, start: number): ParsedString {
  const last = bytes.indexOf(0x3e, start)
  if (last < 0) throw malformedPdf(`a string at byte ${start} has no end`)
  if (last - start > maxStringBytes) throw tooLong(start)
  const found = new Uint8Array((last - start) >> 1)
  let digits = 0
  for (let at = start + 1; at < last; at += 1) {
    const digit = toDigit(bytes[at])
    if (digit !== undefined) {
      found[digits >> 1] = digits % 2 === 0 ? digit * 16 : (found[digits >> 1] ?? 0) + digit
      digits += 1
    } else if (!isWhitespace(bytes[at])) {
      throw malformedPdf(`a string at byte ${start} is invalid`)
    }
  }
  return toParsed(found.subarray(0, (digits + 1) >> 1), start, last + 1)
}

function toDigit(byte: number | undefined): number | undefined {
  if (byte === undefined) return undefined
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30
  const lower = byte | 0x20
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : undefined
}

/** `(Hello)`, from its first delimiter. */
export function parseLiteralString(bytes: Uint8Array, start: number): ParsedString {
  const end = findEnd(bytes, start)
  const found = new Uint8Array(end - start)
  let length = 0
  for (let at = start + 1; at < end - 1; ) {
    const byte = bytes[at] ?? 0
    at += 1
    if (byte === 0x5c) {
      const escaped = readEscape(bytes, at)
      at = escaped.end
      if (escaped.byte === undefined) continue
      found[length] = escaped.byte
    } else if (byte === 0x0d) {
      // An end of line is one line feed, however it is written.
      found[length] = 0x0a
      if (bytes[at] === 0x0a) at += 1
    } else found[length] = byte
    length += 1
  }
  return toParsed(found.slice(0, length), start, end)
}

/** The position after the parenthesis that closes the string. */
function findEnd(bytes: Uint8Array, start: number): number {
  let open = 0
  for (let at = start; at < bytes.length; at += 1) {
    if (at - start > maxStringBytes) throw tooLong(start)
    const byte = bytes[at]
    if (byte === 0x5c) at += 1
    else if (byte === 0x28) open += 1
    else if (byte === 0x29) open -= 1
    if (open === 0) return at + 1
  }
  throw malformedPdf(`a string at byte ${start} has no end`)
}

const escapes: Readonly<Record<number, number>> = {
  110: 0x0a,
  114: 0x0d,
  116: 0x09,
  98: 0x08,
  102: 0x0c,
}

/** What follows a backslash: a byte, or the end of a line, which is none. */
function readEscape(
  bytes: Uint8Array,
  from: number,
): { readonly byte: number | undefined; readonly end: number } {
  const byte = bytes[from] ?? 0
  if (byte === 0x0a) return { byte: undefined, end: from + 1 }
  if (byte === 0x0d) return { byte: undefined, end: bytes[from + 1] === 0x0a ? from + 2 : from + 1 }
  let [end, value] = [from, 0]
  for (; end < from + 3; end += 1) {
    const digit = bytes[end]
    if (digit === undefined || digit < 0x30 || digit > 0x37) break
    value = value * 8 + digit - 0x30
  }
  return end > from ? { byte: value & 0xff, end } : { byte: escapes[byte] ?? byte, end: from + 1 }
}
