/** Reads the two kinds of strings of a PDF (ISO 32000-1, 7.3.4). */
import { isWhitespace } from './characters.ts'
import type { PdfString } from './objects.ts'
import { malformedPdf } from './pdf-error.ts'

interface ParsedString {
  readonly value: PdfString
  readonly end: number
}

/** `<48656c6c6f>`, from its first delimiter. */
export function parseHexString(bytes: Uint8Array, start: number): ParsedString {
  const digits: number[] = []
  let at = start + 1
  for (let byte = bytes[at]; byte !== 0x3e; byte = bytes[at]) {
    const digit = toDigit(byte)
    if (digit !== undefined) digits.push(digit)
    else if (!isWhitespace(byte)) throw malformedPdf(`a string at byte ${start} is invalid`)
    at += 1
  }
  if (digits.length % 2 === 1) digits.push(0)
  const value = new Uint8Array(digits.length / 2)
  for (let index = 0; index < value.length; index += 1) {
    value[index] = (digits[2 * index] ?? 0) * 16 + (digits[2 * index + 1] ?? 0)
  }
  const end = at + 1
  return { value: { kind: 'string', bytes: value, start, end }, end }
}

function toDigit(byte: number | undefined): number | undefined {
  if (byte === undefined) return undefined
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30
  const lower = byte | 0x20
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : undefined
}

const escapes: Readonly<Record<number, number>> = {
  110: 0x0a,
  114: 0x0d,
  116: 0x09,
  98: 0x08,
  102: 0x0c,
}

/** `(Hello)`, from its first delimiter. */
export function parseLiteralString(bytes: Uint8Array, start: number): ParsedString {
  const found: number[] = []
  let open = 1
  let at = start + 1
  for (;;) {
    const byte = bytes[at]
    if (byte === undefined) throw malformedPdf(`a string at byte ${start} has no end`)
    at += 1
    if (byte === 0x5c) at = readEscape(bytes, at, found)
    else if (byte === 0x0d) {
      // An end of line is one line feed, however it is written.
      found.push(0x0a)
      if (bytes[at] === 0x0a) at += 1
    } else {
      if (byte === 0x28) open += 1
      if (byte === 0x29) open -= 1
      if (open === 0) break
      found.push(byte)
    }
  }
  return { value: { kind: 'string', bytes: Uint8Array.from(found), start, end: at }, end: at }
}

/** What follows a backslash; the position after it. */
function readEscape(bytes: Uint8Array, from: number, found: number[]): number {
  const byte = bytes[from]
  if (byte === undefined) return from
  if (byte === 0x0a) return from + 1
  if (byte === 0x0d) return bytes[from + 1] === 0x0a ? from + 2 : from + 1
  let at = from
  let value = 0
  while (at < from + 3) {
    const digit = bytes[at]
    if (digit === undefined || digit < 0x30 || digit > 0x37) break
    value = value * 8 + digit - 0x30
    at += 1
  }
  if (at > from) {
    found.push(value & 0xff)
    return at
  }
  found.push(escapes[byte] ?? byte)
  return from + 1
}
