/** Reads an object with its number, and the stream that may follow it (ISO 32000-1, 7.3.8 and 7.3.10). */
import type { Budget } from './budget.ts'
import { hasKeyword, isRegular, readDigits, skipWhitespace } from './characters.ts'
import { isCount, isDictionary, isStream, type PdfObject, type PdfStream } from './objects.ts'
import { parseObject } from './parse-object.ts'
import { malformedPdf } from './pdf-error.ts'

export interface Numbered {
  readonly number: number
  readonly generation: number
  readonly value: PdfObject
}

/** `12 0 obj … endobj`. `readLength` finds the length of a stream where it is a separate object. */
export function parseNumberedObject(
  bytes: Uint8Array,
  from: number,
  budget: Budget,
  readLength: (length: PdfObject | undefined) => PdfObject | undefined,
): Numbered {
  const invalid = () => malformedPdf(`it has no object at byte ${from}`)
  const number = readDigits(bytes, skipWhitespace(bytes, from))
  const generation = number && readDigits(bytes, skipWhitespace(bytes, number.end))
  if (!generation || isRegular(bytes[number.end])) throw invalid()
  const keyword = skipWhitespace(bytes, generation.end)
  if (!hasKeyword(bytes, keyword, 'obj')) throw invalid()
  const { value, end } = parseObject(bytes, keyword + 3, budget)
  const after = skipWhitespace(bytes, end)
  const numbers = { number: number.value, generation: generation.value }
  if (hasKeyword(bytes, after, 'endobj')) return { ...numbers, value }
  if (!isDictionary(value) || !hasKeyword(bytes, after, 'stream')) throw invalid()
  const length = readLength(value.get('Length'))
  if (!isCount(length)) throw malformedPdf(`a stream at byte ${from} has no length`)
  const start = skipLineEnd(bytes, after + 'stream'.length)
  const close = start === undefined ? undefined : skipWhitespace(bytes, start + length)
  if (start === undefined || close === undefined || !hasKeyword(bytes, close, 'endstream')) {
    throw malformedPdf(`a stream at byte ${from} does not have the length that it says`)
  }
  const data = bytes.subarray(start, start + length)
  return { ...numbers, value: { kind: 'stream', dictionary: value, data } }
}

/** A line feed, with a carriage return before it or not. */
function skipLineEnd(bytes: Uint8Array, at: number): number | undefined {
  if (bytes[at] === 0x0a) return at + 1
  return bytes[at] === 0x0d && bytes[at + 1] === 0x0a ? at + 2 : undefined
}

/** The stream that begins at this position; its length has to be in it. */
export function parseStreamAt(bytes: Uint8Array, at: number, budget: Budget): PdfStream {
  const { value } = parseNumberedObject(bytes, at, budget, (length) => length)
  if (!isStream(value)) throw malformedPdf(`it has no stream at byte ${at}`)
  return value
}
