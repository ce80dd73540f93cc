/** Encodes and decodes DER (X.690 §8.1, §10.1), as far as certificates need it. */

export interface Element {
  readonly tag: number
  readonly content: Uint8Array
}

/** One element: tag, length, content. Throws when the content is longer than 65,535 bytes. */
export function encodeElement(tag: number, content: Uint8Array): Uint8Array<ArrayBuffer> {
  const { length } = content
  if (length > 0xffff)
    throw new Error('Cannot encode the DER element: it is longer than 65,535 bytes')
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return concatBytes([Uint8Array.of(tag, ...size), content])
}

/** The elements of a sequence. Throws when the data is not DER. */
export function decodeElements(data: Uint8Array): Element[] {
  const found: Element[] = []
  for (let at = 0; at < data.length; ) {
    const tag = data[at] ?? 0
    const first = data[at + 1] ?? 0
    const extra = first < 0x80 ? 0 : first & 0x7f
    const length =
      extra === 0 ? first : data.slice(at + 2, at + 2 + extra).reduce((sum, b) => sum * 256 + b, 0)
    const start = at + 2 + extra
    if (extra > 2 || start + length > data.length)
      throw new Error('Cannot decode the data: it is not DER')
    found.push({ tag, content: data.slice(start, start + length) })
    at = start + length
  }
  return found
}

/** The same, for data that must have no other spelling: lengths in their shortest form, tags of one byte. */
export function decodeStrict(data: Uint8Array): Element[] {
  const elements = decodeElements(data)
  const canonical = concatBytes(elements.map(({ tag, content }) => encodeElement(tag, content)))
  // The five low bits of a tag are ones when more bytes of it follow.
  const hasLongTag = elements.some(({ tag }) => (tag & 0x1f) === 0x1f)
  if (hasLongTag || toHex(canonical) !== toHex(data))
    throw new Error('Cannot decode the data: it is not DER')
  return elements
}

export const toHex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

export function concatBytes(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(parts.flatMap((part) => [...part]))
}
