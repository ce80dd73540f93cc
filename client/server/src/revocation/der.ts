/** Walks DER without objects for its parts: a list of revoked certificates has up to a million. */

/** A part of some bytes, with its tag; offsets into the bytes. */
export interface Part {
  readonly tag: number
  readonly start: number
  readonly contentStart: number
  readonly end: number
}

export const tags = {
  boolean: 0x01,
  integer: 0x02,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
} as const

/** The parts one after the other from `start` to `end`. Throws where they are not DER, or end elsewhere. */
export function* walk(bytes: Uint8Array, start: number, end: number): Generator<Part> {
  for (let at = start; at < end; ) {
    const part = readPart(bytes, at, end)
    yield part
    at = part.end
  }
}

export function readPart(bytes: Uint8Array, start: number, limit: number): Part {
  const tag = bytes[start] ?? 0
  const first = bytes[start + 1] ?? 0x80
  const count = first < 0x80 ? 0 : first - 0x80
  const contentStart = start + 2 + count
  let length = count === 0 ? first : 0
  for (let at = start + 2; at < contentStart; at += 1) length = length * 0x100 + (bytes[at] ?? 0)
  const end = contentStart + length
  // Without a length, or with a tag or a length that is not of a certificate or a list.
  if (first === 0x80 || count > 4 || (tag & 0x1f) === 0x1f || end > limit)
    throw new Error('not DER')
  return { tag, start, contentStart, end }
}
