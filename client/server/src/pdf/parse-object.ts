/** Reads one object of a PDF. What two readers could read differently is refused. */
import type { Budget } from './budget.ts'
import { hasKeyword, isRegular, readDigits, skipWhitespace, toLatin1 } from './characters.ts'
import { type PdfObject, toName, toReference } from './objects.ts'
import { parseHexString, parseLiteralString } from './parse-string.ts'
import { malformedPdf } from './pdf-error.ts'

export interface Parsed<T> {
  readonly value: T
  /** The position after it. */
  readonly end: number
}

/** Arrays and dictionaries in each other; more would be no PDF of a program that writes pages. */
const maxDepth = 100
/** Bytes of a name, number or keyword. */
const maxTokenBytes = 4096

/** Reads the object that begins at this position, or after white space there. A stream is read as its dictionary. */
export function parseObject(
  bytes: Uint8Array,
  from: number,
  budget: Budget,
  depth = 0,
): Parsed<PdfObject> {
  budget('objects', 1)
  if (depth > maxDepth) throw malformedPdf(`its objects are nested more than ${maxDepth} times`)
  const at = skipWhitespace(bytes, from)
  switch (bytes[at]) {
    case 0x2f:
      return parseName(bytes, at)
    case 0x28:
      budget('objects', 2)
      return parseLiteralString(bytes, at)
    case 0x3c:
      if (bytes[at + 1] === 0x3c) return parseDictionary(bytes, at + 2, budget, depth)
      budget('objects', 2)
      return parseHexString(bytes, at)
    case 0x5b:
      return parseArray(bytes, at + 1, budget, depth)
    default:
      return parseReference(bytes, at) ?? parseSimple(bytes, at)
  }
}

/** The bytes up to the next white space or delimiter. */
function readToken(bytes: Uint8Array, at: number): Parsed<string> {
  let end = at
  while (isRegular(bytes[end])) end += 1
  if (end - at > maxTokenBytes) throw malformedPdf(`a name at byte ${at} is too long`)
  return { value: toLatin1(bytes.subarray(at, end)), end }
}

function parseName(bytes: Uint8Array, at: number): Parsed<PdfObject> {
  const { value: token, end } = readToken(bytes, at + 1)
  if (/#(?![\da-f]{2})|#00/i.test(token)) throw malformedPdf(`a name at byte ${at} is invalid`)
  const value = token.replaceAll(/#(..)/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
  return { value: toName(value), end }
}

function parseArray(
  bytes: Uint8Array,
  from: number,
  budget: Budget,
  depth: number,
): Parsed<PdfObject> {
  const items: PdfObject[] = []
  let at = skipWhitespace(bytes, from)
  while (bytes[at] !== 0x5d) {
    const { value, end } = parseObject(bytes, at, budget, depth + 1)
    items.push(value)
    at = skipWhitespace(bytes, end)
  }
  return { value: items, end: at + 1 }
}

function parseDictionary(
  bytes: Uint8Array,
  from: number,
  budget: Budget,
  depth: number,
): Parsed<PdfObject> {
  budget('objects', 4)
  const entries = new Map<string, PdfObject>()
  let at = skipWhitespace(bytes, from)
  while (bytes[at] !== 0x3e || bytes[at + 1] !== 0x3e) {
    if (bytes[at] !== 0x2f)
      throw malformedPdf(`a dictionary at byte ${at} has a key that is no name`)
    const key = parseName(bytes, at)
    const { value, end } = parseObject(bytes, key.end, budget, depth + 1)
    const name = (key.value as { readonly value: string }).value
    if (entries.has(name)) throw malformedPdf(`a dictionary at byte ${at} has a key twice`)
    entries.set(name, value)
    at = skipWhitespace(bytes, end)
  }
  return { value: entries, end: at + 2 }
}

/** `12 0 R`; undefined where something else is at this position. */
function parseReference(bytes: Uint8Array, at: number): Parsed<PdfObject> | undefined {
  const number = readDigits(bytes, at)
  if (!number || isRegular(bytes[number.end])) return undefined
  const generation = readDigits(bytes, skipWhitespace(bytes, number.end))
  if (!generation || isRegular(bytes[generation.end])) return undefined
  const end = skipWhitespace(bytes, generation.end)
  if (!hasKeyword(bytes, end, 'R')) return undefined
  return { value: toReference(number.value, generation.value), end: end + 1 }
}

const keywords: Readonly<Record<string, boolean | null>> = { true: true, false: false, null: null }

function parseSimple(bytes: Uint8Array, at: number): Parsed<PdfObject> {
  const { value: token, end } = readToken(bytes, at)
  if (/^[+-]?(\d+\.?\d*|\.\d+)$/.test(token)) return { value: Number(token), end }
  const value = Object.hasOwn(keywords, token) ? keywords[token] : undefined
  if (value === undefined) throw malformedPdf(`it has no object at byte ${at}`)
  return { value, end }
}
