/** Appends a revision to a PDF (ISO 32000-1, 7.5.6): nothing that is there changes, so earlier signatures stay valid. */
import { fromLatin1 } from './characters.ts'
import type { PdfDocument } from './document.ts'
import { isArray, isString, type PdfObject, toName, toPdfString } from './objects.ts'
import { malformedPdf } from './pdf-error.ts'
import { writeObject } from './write-object.ts'

/** An object that is new, or in place of the one with its number. */
export interface Change {
  readonly number: number
  readonly generation: number
  /** As it is written, each character a byte. */
  readonly text: string
}

export interface Appended {
  readonly bytes: Uint8Array<ArrayBuffer>
  /** The position of each object's text, by its number. */
  readonly positions: ReadonlyMap<number, number>
}

/** Ends with a cross-reference section of the kind that the document has. */
export function appendRevision(
  { bytes, trailer, start, isStream }: PdfDocument,
  nextNumber: number,
  changes: readonly Change[],
): Appended {
  const parts = [isLineEnd(bytes.at(-1)) ? '' : '\n']
  let at = bytes.length + (parts[0]?.length ?? 0)
  const positions = new Map<number, number>()
  const rows: Row[] = []
  for (const { number, generation, text } of changes) {
    if (positions.has(number)) throw malformedPdf(`it uses object ${number} for two purposes`)
    const head = `${number} ${generation} obj\n`
    rows.push({ number, generation, offset: at })
    positions.set(number, at + head.length)
    const part = `${head}${text}\nendobj\n`
    parts.push(part)
    at += part.length
  }
  const entries = new Map<string, PdfObject>([
    ['Size', isStream ? nextNumber + 1 : nextNumber],
    ['Prev', start],
  ])
  for (const name of ['Root', 'Info']) {
    const value = trailer.get(name)
    if (value !== undefined) entries.set(name, value)
  }
  const id = trailer.get('ID')
  if (isArray(id) && isString(id[0])) {
    entries.set('ID', [id[0], toPdfString(globalThis.crypto.getRandomValues(new Uint8Array(16)))])
  }
  if (isStream) {
    const own = { number: nextNumber, generation: 0, offset: at }
    parts.push(`${nextNumber} 0 obj\n${writeStream([...rows, own], entries)}\nendobj\n`)
  } else parts.push(`xref\n${writeTable(rows)}trailer\n${writeObject(entries)}\n`)
  parts.push(`startxref\n${at}\n%%EOF\n`)
  const added = fromLatin1(parts.join(''))
  const whole = new Uint8Array(bytes.length + added.length)
  whole.set(bytes)
  whole.set(added, bytes.length)
  return { bytes: whole, positions }
}

interface Row {
  readonly number: number
  readonly generation: number
  readonly offset: number
}

const isLineEnd = (byte: number | undefined): boolean => byte === 0x0a || byte === 0x0d

/** Rows whose numbers follow each other, by number. */
function toSections(rows: readonly Row[]): readonly (readonly Row[])[] {
  const sections: Row[][] = []
  for (const row of rows.toSorted((one, other) => one.number - other.number)) {
    const last = sections.at(-1)
    if (last?.at(-1)?.number === row.number - 1) last?.push(row)
    else sections.push([row])
  }
  return sections
}

/** Each row has twenty bytes. */
const writeTable = (rows: readonly Row[]): string =>
  toSections(rows)
    .map((section) => {
      const lines = section.map(
        ({ offset, generation }) =>
          `${String(offset).padStart(10, '0')} ${String(generation).padStart(5, '0')} n \n`,
      )
      return `${section[0]?.number} ${section.length}\n${lines.join('')}`
    })
    .join('')

function writeStream(rows: readonly Row[], entries: ReadonlyMap<string, PdfObject>): string {
  const sections = toSections(rows)
  const widths = [1, 4, 2]
  const data = new Uint8Array(7 * rows.length)
  const view = new DataView(data.buffer)
  for (const [at, { offset, generation }] of sections.flat().entries()) {
    view.setUint8(7 * at, 1)
    view.setUint32(7 * at + 1, offset)
    view.setUint16(7 * at + 5, generation)
  }
  const dictionary = new Map([
    ...([
      ['Type', toName('XRef')],
      ['W', widths],
    ] as const),
    ['Index', sections.flatMap((section) => [section[0]?.number ?? 0, section.length])] as const,
    ...entries,
  ])
  return writeObject({ kind: 'stream', dictionary, data })
}
