/** Where the objects of a PDF are (ISO 32000-1, 7.5.4 and 7.5.8), from its last cross-reference section back to its first. */
import type { Budget } from './budget.ts'
import { findLastText, hasKeyword, hasText, isWhitespace, readDigits } from './characters.ts'
import { isArray, isCount, isDictionary, isNamed, type PdfDictionary } from './objects.ts'
import { parseObject } from './parse-object.ts'
import { parseStreamAt } from './parse-stream.ts'
import { malformedPdf, PdfSignatureError, tooLargePdf } from './pdf-error.ts'
import { unpackStream } from './unpack-stream.ts'

/** Where one object is: in the file, in a stream of objects, or nowhere. */
export type Entry =
  | { readonly kind: 'free' }
  | { readonly kind: 'plain'; readonly offset: number; readonly generation: number }
  | { readonly kind: 'packed'; readonly container: number; readonly index: number }

export interface CrossReferences {
  readonly entries: ReadonlyMap<number, Entry>
  /** Of the last section, whatever kind it is. */
  readonly trailer: PdfDictionary
  /** The position of the last section. */
  readonly start: number
  /** Whether the last section is a stream. */
  readonly isStream: boolean
  /** All of them, the last one first. */
  readonly sections: readonly PlacedSection[]
}

export interface PlacedSection extends Section {
  readonly start: number
}

/** Revisions of a file; each signature is one. */
const maxSections = 1000
/** Bytes at the end of the file in which the position of the last section is looked for. */
const tailBytes = 2048
/** The largest number that an object may have (ISO 32000-1, annex C). */
export const maxObjectNumber = 8_388_607

interface Section {
  readonly trailer: PdfDictionary
  readonly isStream: boolean
}

/** Reads them all. Rejects a file of which a part would have to be guessed. */
export async function readCrossReferences(
  bytes: Uint8Array,
  budget: Budget,
): Promise<CrossReferences> {
  const start = findStart(bytes)
  const entries = new Map<number, Entry>()
  const seen = new Set<number>()
  const add = (number: number, entry: Entry) => {
    budget('entries', 1)
    if (number > maxObjectNumber)
      throw malformedPdf(`an object has a number above ${maxObjectNumber}`)
    if (entries.has(number)) return false
    entries.set(number, entry)
    return true
  }
  const sections: PlacedSection[] = []
  const readOnce = async (at: number): Promise<Section> => {
    if (seen.has(at)) throw malformedPdf('its cross-reference sections refer to each other')
    seen.add(at)
    if (seen.size > maxSections) throw tooLargePdf(`it has more than ${maxSections} revisions`)
    const [free, own]: [number[], number[]] = [[], []]
    const addUsed: Add = (number, entry) => {
      if (entry.kind === 'free') free.push(number)
      else if (add(number, entry)) own.push(number)
    }
    const section = await readSection(bytes, at, addUsed, budget)
    sections.push({ ...section, start: at })
    const hybrid = readOffset(section.trailer, 'XRefStm')
    if (hybrid !== undefined && !section.isStream) await readHybrid(hybrid, new Set(own))
    // What a table calls free may be in the stream that belongs to it (ISO 32000-1, 7.5.8.4).
    for (const number of free) add(number, { kind: 'free' })
    return section
  }
  /** The stream that belongs to a table. Some readers take its entries first, others those of the table. */
  const readHybrid = async (at: number, inTable: ReadonlySet<number>): Promise<void> => {
    const addOther: Add = (number, entry) => {
      if (inTable.has(number) && !isSameEntry(entries.get(number), entry))
        throw malformedPdf(`object ${number} has two places`)
      add(number, entry)
    }
    if (seen.has(at)) throw malformedPdf('its cross-reference sections refer to each other')
    seen.add(at)
    sections.push({ ...(await readSection(bytes, at, addOther, budget)), start: at })
  }
  let last: Section | undefined
  for (let at: number | undefined = start; at !== undefined; ) {
    const section = await readOnce(at)
    last ??= section
    if (section.trailer.has('Encrypt')) {
      throw new PdfSignatureError(
        'pdf-encrypted',
        'Cannot use the PDF: it is encrypted. Remove its password and its restrictions first',
      )
    }
    at = readOffset(section.trailer, 'Prev')
  }
  if (!last) throw malformedPdf('it has no cross-reference section')
  return { entries, start, sections, ...last }
}

function readOffset(trailer: PdfDictionary, name: string): number | undefined {
  const value = trailer.get(name)
  if (value === undefined) return undefined
  if (!isCount(value)) throw malformedPdf(`its trailer has an invalid ${name}`)
  return value
}

/** The position after `startxref`, which only the end of the file may follow. */
function findStart(bytes: Uint8Array): number {
  if (!hasText(bytes, 0, '%PDF-')) throw malformedPdf('it does not begin with %PDF-')
  const at = findLastText(bytes, 'startxref', Math.max(0, bytes.length - tailBytes))
  const value = at < 0 ? undefined : readDigits(bytes, skipBlanks(bytes, at + 'startxref'.length))
  if (!value) throw malformedPdf('it does not end with startxref and %%EOF')
  const end = skipBlanks(bytes, value.end)
  if (!hasText(bytes, end, '%%EOF') || skipBlanks(bytes, end + 5) !== bytes.length) {
    throw malformedPdf('it does not end with startxref and %%EOF')
  }
  return value.value
}

function skipBlanks(bytes: Uint8Array, from: number): number {
  let at = from
  while (isWhitespace(bytes[at])) at += 1
  return at
}

type Add = (number: number, entry: Entry) => unknown

const isSameEntry = (one: Entry | undefined, other: Entry): boolean =>
  JSON.stringify(one) === JSON.stringify(other)

/** The first number of a part of a section, and how many there are. */
type Range = readonly [first: number, count: number]

/** Throws where a section has an entry twice: some readers take the first, others the last. */
function requireSeparate(ranges: readonly Range[]): void {
  let free = 0
  for (const [first, count] of ranges.toSorted(([one], [other]) => one - other)) {
    if (count > 0 && first < free)
      throw malformedPdf('a cross-reference section has an entry twice')
    free = Math.max(free, first + count)
  }
}

async function readSection(
  bytes: Uint8Array,
  from: number,
  add: Add,
  budget: Budget,
): Promise<Section> {
  const at = skipBlanks(bytes, from)
  return hasKeyword(bytes, at, 'xref')
    ? readTable(bytes, at + 4, add, budget)
    : readStream(bytes, at, add, budget)
}

function readTable(bytes: Uint8Array, from: number, add: Add, budget: Budget): Section {
  const digits = (at: number) => {
    const found = readDigits(bytes, skipBlanks(bytes, at))
    if (!found) throw malformedPdf(`its cross-reference table at byte ${at} is invalid`)
    return found
  }
  let at = skipBlanks(bytes, from)
  const ranges: Range[] = []
  while (!hasKeyword(bytes, at, 'trailer')) {
    const first = digits(at)
    const count = digits(first.end)
    ranges.push([first.value, count.value])
    at = count.end
    for (let index = 0; index < count.value; index += 1) {
      const offset = digits(at)
      const generation = digits(offset.end)
      at = skipBlanks(bytes, generation.end)
      const isUsed = hasKeyword(bytes, at, 'n')
      if (!isUsed && !hasKeyword(bytes, at, 'f')) {
        throw malformedPdf(`its cross-reference table at byte ${at} is invalid`)
      }
      at += 1
      add(
        first.value + index,
        isUsed && offset.value > 0
          ? { kind: 'plain', offset: offset.value, generation: generation.value }
          : { kind: 'free' },
      )
    }
    at = skipBlanks(bytes, at)
  }
  requireSeparate(ranges)
  const { value } = parseObject(bytes, at + 'trailer'.length, budget)
  if (!isDictionary(value)) throw malformedPdf('its trailer is no dictionary')
  return { trailer: value, isStream: false }
}

async function readStream(
  bytes: Uint8Array,
  at: number,
  add: Add,
  budget: Budget,
): Promise<Section> {
  const stream = parseStreamAt(bytes, at, budget)
  const { dictionary } = stream
  const [widths, size] = [dictionary.get('W'), dictionary.get('Size')]
  if (!isNamed(dictionary.get('Type'), 'XRef') || !isCount(size) || !isArray(widths)) {
    throw malformedPdf(`it has no cross-reference section at byte ${at}`)
  }
  const [kindBytes, secondBytes, thirdBytes] = widths
  const isWidth = (width: unknown): width is number =>
    typeof width === 'number' && Number.isInteger(width) && width >= 0 && width <= 6
  if (!isWidth(kindBytes) || !isWidth(secondBytes) || !isWidth(thirdBytes) || widths.length !== 3) {
    throw malformedPdf('a cross-reference stream has invalid widths')
  }
  const index = dictionary.get('Index') ?? [0, size]
  if (!isArray(index) || index.length % 2 === 1 || !index.every(isCount)) {
    throw malformedPdf('a cross-reference stream has an invalid index')
  }
  const ranges: Range[] = []
  for (let part = 0; part < index.length; part += 2) {
    ranges.push([index[part] as number, index[part + 1] as number])
  }
  requireSeparate(ranges)
  const data = await unpackStream(stream, budget)
  const row = kindBytes + secondBytes + thirdBytes
  if (row === 0) throw malformedPdf('a cross-reference stream has invalid widths')
  let place = 0
  const take = (width: number): number => {
    let value = 0
    for (const end = place + width; place < end; place += 1)
      value = value * 256 + (data[place] ?? 0)
    return value
  }
  for (const [first, count] of ranges) {
    if (place + count * row > data.length)
      throw malformedPdf('a cross-reference stream is too short')
    for (let number = first; number < first + count; number += 1) {
      const kind = kindBytes === 0 ? 1 : take(kindBytes)
      const [second, third] = [take(secondBytes), take(thirdBytes)]
      if (kind === 1) add(number, { kind: 'plain', offset: second, generation: third })
      else if (kind === 2) add(number, { kind: 'packed', container: second, index: third })
      else add(number, { kind: 'free' })
    }
  }
  return { trailer: dictionary, isStream: true }
}
