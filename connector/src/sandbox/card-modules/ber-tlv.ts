/** BER-TLV as cards use it (ISO/IEC 7816-4 §5.2.2): tags of one to three bytes, lengths of up to 64 kB, all within bounds. */

export interface TlvElement {
  /** As a number: 0x5FC102. */
  readonly tag: number
  readonly value: Uint8Array
}

/** Data that is not BER-TLV, or ends before its elements do. */
export class TlvError extends Error {}

/** Elements in one template; cards have a few. */
const maxElements = 64

/** The elements that stand beside each other. Filler bytes between them are skipped. Throws TlvError. */
export function decodeTlv(data: Uint8Array): readonly TlvElement[] {
  const elements: TlvElement[] = []
  let at = 0
  while (at < data.length) {
    // 00 and FF before a tag are filler (ISO/IEC 7816-4 §5.2.2.1).
    if (data[at] === 0x00 || data[at] === 0xff) {
      at += 1
      continue
    }
    if (elements.length === maxElements) throw new TlvError('too many elements')
    const tag = readTag(data, at)
    const length = readLength(data, tag.end)
    const end = length.end + length.value
    if (end > data.length) throw new TlvError('an element is longer than the data')
    elements.push({ tag: tag.value, value: data.subarray(length.end, end) })
    at = end
  }
  return elements
}

/** The value of the first element with this tag. Throws TlvError when the data is not BER-TLV. */
export const findTlv = (data: Uint8Array, tag: number): Uint8Array | undefined =>
  decodeTlv(data).find((element) => element.tag === tag)?.value

/** The bytes of the first element, without what stands behind it. Throws TlvError when they are not whole. */
export function takeElement(data: Uint8Array): Uint8Array {
  const length = readLength(data, readTag(data, 0).end)
  const end = length.end + length.value
  if (end > data.length) throw new TlvError('an element is longer than the data')
  return data.subarray(0, end)
}

export function encodeTlv(tag: number, ...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const value = Buffer.concat(parts)
  const { length } = value
  const size =
    length < 0x80
      ? [length]
      : length < 0x100
        ? [0x81, length]
        : [0x82, (length >> 8) & 0xff, length & 0xff]
  if (length > 0xffff) throw new TlvError('a value is longer than 65,535 bytes')
  return new Uint8Array(Buffer.concat([toBytes(tag), Uint8Array.from(size), value]))
}

interface Part {
  readonly value: number
  readonly end: number
}

function readTag(data: Uint8Array, start: number): Part {
  let value = readByte(data, start)
  let end = start + 1
  // The five low bits say that more bytes follow; the high bit of each says whether it is the last.
  if ((value & 0x1f) !== 0x1f) return { value, end }
  for (;;) {
    if (end - start === 3) throw new TlvError('a tag is longer than three bytes')
    const byte = readByte(data, end)
    end += 1
    value = value * 0x100 + byte
    if (byte < 0x80) return { value, end }
  }
}

function readLength(data: Uint8Array, start: number): Part {
  const first = readByte(data, start)
  if (first < 0x80) return { value: first, end: start + 1 }
  const count = first & 0x7f
  if (count === 0 || count > 2) throw new TlvError('a length has no or more than two bytes')
  const high = readByte(data, start + 1)
  const value = count === 1 ? high : high * 0x100 + readByte(data, start + 2)
  return { value, end: start + 1 + count }
}

function readByte(data: Uint8Array, at: number): number {
  const byte = data[at]
  if (byte === undefined) throw new TlvError('the data ends within an element')
  return byte
}

const toBytes = (tag: number): Uint8Array => {
  const hex = tag.toString(16)
  return Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex')
}
