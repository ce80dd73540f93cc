/** What later revisions have hidden in a file: readers that find something broken take the last object of each number, named or not. */
import type { Budget } from './budget.ts'
import { isWhitespace } from './characters.ts'
import type { PdfDocument } from './document.ts'
import { isCount, isNamed, isReference, isStream, toReference } from './objects.ts'

interface FoundObject {
  readonly number: number
  readonly start: number
}

/** Whether a later revision has an object that its cross-references name elsewhere, or not at all. */
export function hidesObjects(earlier: PdfDocument, later: PdfDocument, budget: Budget): boolean {
  const from = earlier.bytes.length
  budget('unpacked', later.bytes.length - from)
  const roots = later.sections
    .filter(({ start }) => start >= from)
    .map(({ trailer }) => trailer.get('Root'))
  const { catalogReference } = later
  const isOne = roots.every((root) => isReference(root) && root.number === catalogReference.number)
  if (!isOne || [earlier, later].some(hasNumbersAboveSize)) return true
  for (const found of findObjects(later.bytes, from)) {
    budget('objects', 1)
    if (isHidden(later, found)) return true
  }
  return false
}

/** Some readers leave out what has a number above the size that the trailer says (ISO 32000-1, 7.5.5). */
function hasNumbersAboveSize({ entries, trailer }: PdfDocument): boolean {
  const size = trailer.get('Size')
  if (!isCount(size)) return true
  for (const [number, { kind }] of entries) if (kind !== 'free' && number >= size) return true
  return false
}

function isHidden(document: PdfDocument, { number, start }: FoundObject): boolean {
  const place = findPlace(document, number)
  if (place === undefined) return !document.sections.some((section) => section.start === start)
  if (place < start) return true
  if (place > start) return false
  const entry = document.entries.get(number)
  const object =
    entry?.kind === 'plain' ? document.resolve(toReference(number, entry.generation)) : null
  if (!isStream(object) || !isNamed(object.dictionary.get('Type'), 'ObjStm')) return false
  const packed = document.listPacked(number)
  return !packed || packed.some((one) => (findPlace(document, one) ?? 0) < start)
}

/** Where an object is, or the stream of objects that it is in. */
function findPlace({ bytes, entries }: PdfDocument, number: number): number | undefined {
  const entry = entries.get(number)
  const own = entry?.kind === 'packed' ? entries.get(entry.container) : entry
  if (own?.kind !== 'plain') return undefined
  let place = own.offset
  while (isWhitespace(bytes[place])) place += 1
  return place
}

/** All places in which an object begins, or a text looks like that. */
function* findObjects(bytes: Uint8Array, from: number): Generator<FoundObject> {
  for (let at = bytes.indexOf(0x6f, from); at >= 0; at = bytes.indexOf(0x6f, at + 1)) {
    if (bytes[at + 1] !== 0x62 || bytes[at + 2] !== 0x6a) continue
    const generation = skipDigits(bytes, skipBlanks(bytes, at))
    const number = generation && skipDigits(bytes, skipBlanks(bytes, generation.start))
    if (number && isWhitespace(bytes[generation.start - 1])) yield number
  }
}

function skipBlanks(bytes: Uint8Array, from: number): number {
  let at = from
  while (isWhitespace(bytes[at - 1])) at -= 1
  return at
}

/** The digits in front of a position; undefined where there are none. */
function skipDigits(bytes: Uint8Array, end: number): FoundObject | undefined {
  let [start, number, digit] = [end, 0, 1]
  for (let byte = bytes[start - 1]; byte !== undefined && byte >= 0x30 && byte <= 0x39; ) {
    number += (byte - 0x30) * digit
    digit *= 10
    start -= 1
    byte = bytes[start - 1]
  }
  return start === end ? undefined : { number, start }
}
