/** Bounds a text by the bytes that it has in JSON, where a control character is six (RFC 8259 §7). */

const ellipsis = '…'
const ellipsisBytes = 3

/** The text if it has at most `maxBytes`, otherwise its start with an ellipsis. Reads no more than that start. */
export function shorten(text: string, maxBytes: number): string {
  let [bytes, end, kept] = [0, 0, 0]
  for (const character of text) {
    bytes += countBytes(character)
    if (bytes > maxBytes) return text.slice(0, kept) + ellipsis
    end += character.length
    if (bytes <= maxBytes - ellipsisBytes) kept = end
  }
  return text
}

/** The bytes of a text in JSON, without the quotes around it. */
export const countJsonBytes = (text: string): number =>
  [...text].reduce((sum, character) => sum + countBytes(character), 0)

function countBytes(character: string): number {
  const code = character.codePointAt(0) ?? 0
  if (code < 0x20) return '\b\t\n\f\r'.includes(character) ? 2 : 6
  if (code < 0x80) return character === '"' || character === '\\' ? 2 : 1
  if (code < 0x800) return 2
  // Half of a pair is written as \ud83d.
  if (code >= 0xd800 && code <= 0xdfff) return 6
  return code < 0x10000 ? 3 : 4
}
