/** Names of readers as bytes, and back: UTF-8 or UTF-16, each with a zero at its end. */
import type { Layout } from './layout.ts'

/** The bytes of one name with its zero. */
export function encodeName(name: string, text: Layout['text']): Uint8Array {
  if (text === 'utf-8') return new TextEncoder().encode(`${name}\0`)
  const bytes = new Uint8Array((name.length + 1) * 2)
  const view = new DataView(bytes.buffer)
  for (let index = 0; index < name.length; index += 1)
    view.setUint16(index * 2, name.charCodeAt(index), true)
  return bytes
}

/**
 * The names of a multi-string (names with a zero each, and one more zero) with the bytes they came as. pcsc-lite cuts
 * names after 127 bytes, in the middle of a character too: such a name reads with a replacement character, and only
 * its bytes still name the reader. Names that read the same get a number.
 */
export function decodeNames(
  bytes: Uint8Array,
  text: Layout['text'],
): ReadonlyMap<string, Uint8Array> {
  const unit = text === 'utf-8' ? 1 : 2
  const decoder = new TextDecoder(text)
  const names = new Map<string, Uint8Array>()
  for (let from = 0; from < bytes.length; ) {
    let to = from
    while (to < bytes.length && (bytes[to] !== 0 || (unit === 2 && bytes[to + 1] !== 0))) to += unit
    if (to === from) break
    const read = decoder.decode(bytes.subarray(from, to))
    let name = read
    for (let count = 2; names.has(name); count += 1) name = `${read} (${count})`
    names.set(name, Uint8Array.from(bytes.subarray(from, to + unit)))
    from = to + unit
  }
  return names
}
