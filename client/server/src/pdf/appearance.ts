/** What a visible signature shows: lines of text in its rectangle (ISO 32000-1, 12.5.5). */

import { fromLatin1 } from './characters.ts'
import { helvetica } from './helvetica.ts'
import { type PdfObject, type PdfReference, toName, toPdfString } from './objects.ts'
import type { PageRectangle } from './pages.ts'
import { invalidSetting } from './pdf-error.ts'
import { writeObject } from './write-object.ts'

/** Points. The text is as large as it fits. */
const sizes = { largest: 12, smallest: 4, step: 0.5 } as const
const margin = 2
/** Of the size of the font: from one line to the next, and from the top of a line to its letters' foot. */
const lineHeight = 1.2
const ascent = 0.8
/** The first code that a character gets. */
const firstCode = 32
const maxCharacters = 224

export interface Appearance {
  readonly rectangle: PageRectangle
  /** Degrees by which the page is turned. The text is upright on it. */
  readonly rotation: number
  /** The object that its font becomes. */
  readonly font: PdfReference
}

/** The objects of a form and of its font. Throws `settings-invalid` where the text doesn't fit. */
export function writeAppearance(
  text: string,
  { rectangle: { width, height }, rotation, font }: Appearance,
): { readonly form: string; readonly font: string } {
  const lines = text.normalize('NFC').split(/\r\n?|\n/)
  const characters = [...new Set(lines.join(''))]
  const missing = characters.find((character) => !helvetica.has(character))
  if (missing !== undefined) {
    throw invalidSetting(
      'appearance.text',
      `only Latin letters, not ${JSON.stringify(missing)}. Give another text or name`,
    )
  }
  if (characters.length > maxCharacters) {
    throw invalidSetting('appearance.text', `at most ${maxCharacters} different characters`)
  }
  const codes = new Map(characters.map((character, at) => [character, firstCode + at]))
  const { size, rows } = fitText(lines, width - 2 * margin, height - 2 * margin)
  const commands = rows.map((row) => {
    const bytes = Uint8Array.from(row, (character) => codes.get(character) ?? 0)
    return `${writeObject(toPdfString(bytes))} Tj T*`
  })
  const top = height - margin - ascent * size
  const content = [
    'q BT',
    `/F1 ${size} Tf ${round(lineHeight * size)} TL ${margin} ${round(top)} Td`,
    ...commands,
    'ET Q',
  ].join('\n')
  const dictionary = new Map<string, PdfObject>([
    ['Type', toName('XObject')],
    ['Subtype', toName('Form')],
    ['BBox', [0, 0, width, height]],
    ['Matrix', matrices[rotation] ?? [1, 0, 0, 1, 0, 0]],
    ['Resources', new Map([['Font', new Map([['F1', font]])]])],
  ])
  return {
    form: writeObject({ kind: 'stream', dictionary, data: fromLatin1(content) }),
    font: writeObject(makeFont(characters)),
  }
}

/** Turns against the page (ISO 32000-1, 8.3.3). */
const matrices: Readonly<Record<number, readonly number[]>> = {
  90: [0, 1, -1, 0, 0, 0],
  180: [-1, 0, 0, -1, 0, 0],
  270: [0, -1, 1, 0, 0, 0],
}

const round = (value: number): number => Math.round(value * 100) / 100

function makeFont(characters: readonly string[]): PdfObject {
  const glyphs = characters.map((character) => helvetica.get(character))
  const differences = glyphs.map((glyph) => toName(glyph?.name ?? 'space'))
  return new Map<string, PdfObject>([
    ['Type', toName('Font')],
    ['Subtype', toName('Type1')],
    ['BaseFont', toName('Helvetica')],
    ['FirstChar', firstCode],
    ['LastChar', firstCode + characters.length - 1],
    ['Widths', glyphs.map((glyph) => glyph?.width ?? 0)],
    [
      'Encoding',
      new Map<string, PdfObject>([
        ['Type', toName('Encoding')],
        ['Differences', [firstCode, ...differences]],
      ]),
    ],
  ])
}

interface Fitted {
  readonly size: number
  readonly rows: readonly string[]
}

function fitText(lines: readonly string[], width: number, height: number): Fitted {
  for (let size: number = sizes.largest; size >= sizes.smallest; size -= sizes.step) {
    const rows = lines.flatMap((line) => wrap(line, (1000 * width) / size))
    const fits = rows.every((row) => measure(row) * size <= 1000 * width)
    if (fits && rows.length * lineHeight * size <= height) return { size, rows }
  }
  throw invalidSetting('appearance.rectangle', 'a rectangle in which the text has space')
}

const measure = (text: string): number =>
  [...text].reduce((sum, character) => sum + (helvetica.get(character)?.width ?? 0), 0)

/** Breaks a line between words. */
function wrap(line: string, width: number): readonly string[] {
  const rows: string[] = []
  let row: string | undefined
  for (const word of line.split(' ')) {
    const longer: string = row === undefined ? word : `${row} ${word}`
    if (row === undefined || measure(longer) <= width) row = longer
    else {
      rows.push(row)
      row = word
    }
  }
  return [...rows, row ?? '']
}
