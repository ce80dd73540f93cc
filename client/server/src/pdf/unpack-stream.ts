/** Unpacks the streams that a PDF's structure is in: cross-references and objects (ISO 32000-1, 7.4.4). */
import type { Budget } from './budget.ts'
import {
  isArray,
  isCount,
  isDictionary,
  isName,
  type PdfObject,
  type PdfStream,
} from './objects.ts'
import { malformedPdf } from './pdf-error.ts'

/** Rejects what other filters have packed: programs write these streams with Flate or without a filter. */
export async function unpackStream(
  { dictionary, data }: PdfStream,
  budget: Budget,
): Promise<Uint8Array> {
  const filter = getOnly(dictionary.get('Filter'))
  if (filter === undefined || filter === null) {
    budget('unpacked', data.length)
    return data
  }
  if (!isName(filter) || filter.value !== 'FlateDecode') {
    throw malformedPdf('a stream of its structure has a filter other than FlateDecode')
  }
  return undoPredictor(await inflate(data, budget), getOnly(dictionary.get('DecodeParms')))
}

/** The only member of an array; what is no array itself. */
function getOnly(object: PdfObject | undefined): PdfObject | undefined {
  if (!isArray(object)) return object
  if (object.length > 1) throw malformedPdf('a stream of its structure has more than one filter')
  return object[0]
}

async function inflate(data: Uint8Array, budget: Budget): Promise<Uint8Array> {
  const packed = new Response(new Uint8Array(data)).body
  if (!packed) return new Uint8Array()
  const parts: Uint8Array<ArrayBuffer>[] = []
  const reader = packed.pipeThrough(new DecompressionStream('deflate')).getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((error: unknown) => {
        throw malformedPdf('a compressed stream of its structure is damaged', error)
      })
      if (done) break
      budget('unpacked', value.length)
      parts.push(value)
    }
  } finally {
    // Nothing more is unpacked than was paid for.
    await reader.cancel().catch(() => undefined)
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer())
}

/** PNG's predictors (ISO 32000-1, 7.4.4.4), which cross-reference streams are written with. */
function undoPredictor(bytes: Uint8Array, parameters: PdfObject | undefined): Uint8Array {
  if (!isDictionary(parameters)) return bytes
  const read = (name: string, otherwise: number): number => {
    const value = parameters.get(name) ?? otherwise
    if (!isCount(value)) throw malformedPdf('a stream of its structure has invalid parameters')
    return value
  }
  const predictor = read('Predictor', 1)
  if (predictor === 1) return bytes
  const columns = read('Columns', 1)
  const isPlain = read('Colors', 1) === 1 && read('BitsPerComponent', 8) === 8
  if (predictor < 10 || !isPlain || columns < 1 || columns > 1024) {
    throw malformedPdf('a stream of its structure has an unsupported predictor')
  }
  const rows = Math.floor(bytes.length / (columns + 1))
  const plain = new Uint8Array(rows * columns)
  for (let row = 0; row < rows; row += 1) {
    const kind = bytes[row * (columns + 1)]
    for (let column = 0; column < columns; column += 1) {
      const at = row * columns + column
      const left = column > 0 ? (plain[at - 1] ?? 0) : 0
      const up = row > 0 ? (plain[at - columns] ?? 0) : 0
      const upLeft = row > 0 && column > 0 ? (plain[at - columns - 1] ?? 0) : 0
      plain[at] = (bytes[row * (columns + 1) + 1 + column] ?? 0) + predict(kind, left, up, upLeft)
    }
  }
  return plain
}

function predict(kind: number | undefined, left: number, up: number, upLeft: number): number {
  switch (kind) {
    case 0:
      return 0
    case 1:
      return left
    case 2:
      return up
    case 3:
      return Math.floor((left + up) / 2)
    case 4: {
      const guess = left + up - upLeft
      const [a, b, c] = [left, up, upLeft].map((one) => Math.abs(guess - one)) as [
        number,
        number,
        number,
      ]
      if (a <= b && a <= c) return left
      return b <= c ? up : upLeft
    }
    default:
      throw malformedPdf('a stream of its structure has an unknown predictor')
  }
}
