/** The characters of PDF syntax (ISO 32000-1, 7.2). */

/** What each byte is: white space, a delimiter, or a regular character. */
const kinds = { regular: 0, whitespace: 1, delimiter: 2 } as const
const kindOf = new Uint8Array(256)
for (const [text, kind] of [
  ['\0\t\n\f\r ', kinds.whitespace],
  ['()<>[]{}/%', kinds.delimiter],
] as const) {
  for (const character of text) kindOf[character.charCodeAt(0)] = kind
}

export const isWhitespace = (byte: number | undefined): boolean =>
  byte !== undefined && kindOf[byte] === kinds.whitespace

/** Of names, numbers and keywords. */
export const isRegular = (byte: number | undefined): boolean =>
  byte !== undefined && kindOf[byte] === kinds.regular

/** The position of the next character that is neither white space nor part of a comment. */
export function skipWhitespace(bytes: Uint8Array, from: number): number {
  let at = from
  while (at < bytes.length) {
    if (isWhitespace(bytes[at])) at += 1
    else if (bytes[at] === 0x25) {
      while (at < bytes.length && bytes[at] !== 0x0a && bytes[at] !== 0x0d) at += 1
    } else break
  }
  return at
}

/** Whether the text, which is ASCII, is at this position. */
export function hasText(bytes: Uint8Array, at: number, text: string): boolean {
  for (let index = 0; index < text.length; index += 1) {
    if (bytes[at + index] !== text.charCodeAt(index)) return false
  }
  return true
}

/** Whether the keyword is at this position, and ends there. */
export const hasKeyword = (bytes: Uint8Array, at: number, word: string): boolean =>
  hasText(bytes, at, word) && !isRegular(bytes[at + word.length])

/** The last position of the text that begins at `from` or later; -1 where there is none. */
export function findLastText(bytes: Uint8Array, text: string, from: number): number {
  for (let at = bytes.length - text.length; at >= from; at -= 1) {
    if (hasText(bytes, at, text)) return at
  }
  return -1
}

/** The digits at this position as a number, of at most 10; undefined where there are none. */
export function readDigits(
  bytes: Uint8Array,
  from: number,
): { readonly value: number; readonly end: number } | undefined {
  let value = 0
  let at = from
  for (let byte = bytes[at]; byte !== undefined && byte >= 0x30 && byte <= 0x39; byte = bytes[at]) {
    value = value * 10 + byte - 0x30
    at += 1
    if (at - from > 10) return undefined
  }
  return at === from ? undefined : { value, end: at }
}

/** Each byte as the character of its number. */
export function toLatin1(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return text
}

export function fromLatin1(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(text.length)
  for (let at = 0; at < bytes.length; at += 1) bytes[at] = text.charCodeAt(at)
  return bytes
}
