/** A PDF by its objects, as one revision of it has them. */
import type { Budget } from './budget.ts'
import { readDigits, skipWhitespace } from './characters.ts'
import { type CrossReferences, type Entry, readCrossReferences } from './cross-references.ts'
import {
  isCount,
  isDictionary,
  isNamed,
  isReference,
  isStream,
  type PdfDictionary,
  type PdfObject,
  type PdfReference,
} from './objects.ts'
import { parseObject } from './parse-object.ts'
import { parseNumberedObject } from './parse-stream.ts'
import { malformedPdf } from './pdf-error.ts'
import { unpackStream } from './unpack-stream.ts'

export interface PdfDocument extends CrossReferences {
  readonly bytes: Uint8Array
  readonly catalog: PdfDictionary
  readonly catalogReference: PdfReference
  /** What a reference stands for; null where it has no object, as ISO 32000 has it. Anything else is itself. */
  resolve(object: PdfObject | undefined): PdfObject
  /** The numbers of the objects in a stream of objects; undefined for one from which none is taken. */
  listPacked(container: number): readonly number[] | undefined
}

/** References that lead to references. */
const maxChain = 32

/** Reads a file up to its end. Rejects with a `PdfSignatureError`. */
export async function openDocument(bytes: Uint8Array, budget: Budget): Promise<PdfDocument> {
  const references = await readCrossReferences(bytes, budget)
  const { entries, trailer } = references
  const packed = await unpackObjects(bytes, entries, budget)
  const cache = new Map<number, PdfObject>()

  const load = ({ number, generation }: PdfReference): PdfObject => {
    const entry = entries.get(number)
    if (entry === undefined || entry.kind === 'free') return null
    if ((entry.kind === 'plain' ? entry.generation : 0) !== generation) return null
    const known = cache.get(number)
    if (known !== undefined) return known
    const value =
      entry.kind === 'packed'
        ? packed.read(number, entry)
        : loadPlain(number, generation, entry.offset)
    cache.set(number, value)
    return value
  }
  let depth = 0
  const loadPlain = (number: number, generation: number, offset: number): PdfObject => {
    depth += 1
    try {
      // Only the length of a stream is read while another object is.
      if (depth > 2) throw malformedPdf('a stream has a length that is a stream')
      const found = parseNumberedObject(bytes, offset, budget, resolve)
      if (found.number === number && found.generation === generation) return found.value
      throw malformedPdf(`it has another object than ${number} at byte ${offset}`)
    } finally {
      depth -= 1
    }
  }
  const resolve = (object: PdfObject | undefined): PdfObject => {
    let value = object ?? null
    for (let step = 0; isReference(value); step += 1) {
      if (step === maxChain) throw malformedPdf('references lead to each other')
      value = load(value)
    }
    return value
  }

  const catalogReference = trailer.get('Root')
  const catalog = resolve(catalogReference)
  if (!isReference(catalogReference) || !isDictionary(catalog)) {
    throw malformedPdf('it has no catalog')
  }
  return {
    ...references,
    ...{ bytes, catalog, catalogReference, resolve, listPacked: packed.list },
  }
}

type Packed = Extract<Entry, { readonly kind: 'packed' }>

/** Unpacks each stream of objects once (ISO 32000-1, 7.5.7), and returns what reads an object in it. */
async function unpackObjects(
  bytes: Uint8Array,
  entries: ReadonlyMap<number, Entry>,
  budget: Budget,
): Promise<PackedObjects> {
  const containers = new Map<number, Container>()
  for (const entry of entries.values()) {
    if (entry.kind !== 'packed' || containers.has(entry.container)) continue
    const place = entries.get(entry.container)
    if (place?.kind !== 'plain') throw malformedPdf('a stream of objects is missing')
    containers.set(entry.container, await openContainer(bytes, entries, place.offset, budget))
  }
  return {
    read(number, { container: at, index }) {
      const container = containers.get(at)
      const place = container?.places[index]
      if (!container || place?.number !== number) {
        throw malformedPdf(`a stream of objects does not have object ${number}`)
      }
      return withoutPositions(parseObject(container.data, place.offset, budget).value)
    },
    list: (container) => containers.get(container)?.places.map(({ number }) => number),
  }
}

interface PackedObjects {
  read(number: number, entry: Packed): PdfObject
  list(container: number): readonly number[] | undefined
}

interface Container {
  readonly data: Uint8Array
  readonly places: readonly { readonly number: number; readonly offset: number }[]
}

async function openContainer(
  bytes: Uint8Array,
  entries: ReadonlyMap<number, Entry>,
  offset: number,
  budget: Budget,
): Promise<Container> {
  const { value: stream } = parseNumberedObject(bytes, offset, budget, (length) => {
    if (!isReference(length)) return length
    const place = entries.get(length.number)
    if (place?.kind !== 'plain') return undefined
    const found = parseNumberedObject(bytes, place.offset, budget, () => undefined)
    return found.number === length.number ? found.value : undefined
  })
  if (!isStream(stream) || !isNamed(stream.dictionary.get('Type'), 'ObjStm')) {
    throw malformedPdf(`it has no stream of objects at byte ${offset}`)
  }
  const [count, first] = ['N', 'First'].map((name) => stream.dictionary.get(name))
  if (!isCount(count) || !isCount(first)) throw malformedPdf('a stream of objects is invalid')
  const data = await unpackStream(stream, budget)
  budget('objects', count)
  const places: { number: number; offset: number }[] = []
  let at = 0
  for (let index = 0; index < count; index += 1) {
    const number = readDigits(data, skipWhitespace(data, at))
    const place = number && readDigits(data, skipWhitespace(data, number.end))
    if (!place) throw malformedPdf('a stream of objects is invalid')
    places.push({ number: number.value, offset: first + place.value })
    at = place.end
  }
  return { data, places }
}

/** Positions in a stream of objects are none in the file. */
function withoutPositions(object: PdfObject): PdfObject {
  if (Array.isArray(object)) return object.map(withoutPositions)
  if (isDictionary(object)) {
    return new Map([...object].map(([key, value]) => [key, withoutPositions(value)]))
  }
  return typeof object === 'object' && object !== null && 'start' in object
    ? { ...object, start: -1, end: -1 }
    : object
}
