/** Cells that spreadsheets would take for something else. */
import { describe, expect, test } from 'vitest'
import { measureProcessorMs } from '../../../test/bed/processor-time.ts'
import { proves } from '../../../test/bed/proves.ts'
import { toCsvRow } from './csv.ts'

test.each([
  ['plain', 'plain'],
  ['two words', 'two words'],
  ['a,b', '"a,b"'],
  ['a;b', '"a;b"'],
  ['a|b', '"a|b"'],
  ['say "x"', '"say ""x"""'],
  ['line\nline', '"line\nline"'],
  ['1-1', '1-1'],
  ['2026-11-24', '2026-11-24'],
  ['a, -b', '"a, \'-b"'],
  ['a, b-c', '"a, b-c"'],
  ['=1+1', "'=1+1"],
  ['+1', "'+1"],
  ['-1', "'-1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['＝1+1', "'＝1+1"],
  ['＋1', "'＋1"],
  ['－1', "'－1"],
  ['＠SUM(A1)', "'＠SUM(A1)"],
  [' =1', "' =1"],
  ['\u3000=1', "'\u3000=1"],
  ['\ufeff=1', "'\ufeff=1"],
  ['\u200b=1', "'\u200b=1"],
  ['"=1"', '"\'""=1"""'],
  ['\t=1', '"\'\t\'=1"'],
  ['\r=1', '"\'\r\'=1"'],
  ['a;=1', '"a;\'=1"'],
  ['a; ＝1', '"a; \'＝1"'],
  ['a;"=1"', '"a;""\'=1"""'],
  ['a|@b', '"a|\'@b"'],
  ['a\t-1', '"a\t\'-1"'],
  ['a\n+1', '"a\n\'+1"'],
  ['a\r\n \t +1', '"a\r\n \t \'+1"'],
  ['=HYPERLINK("x","y")', '"\'=HYPERLINK(""x"",""y"")"'],
  ['', ''],
])('toCsvRow writes %j as %j', (cell, written) => {
  proves('csv-formula')
  expect(toCsvRow([cell, -7])).toBe(`${written},-7\r\n`)
})

test.each(['\t', '\r\n', '\t "', '; ', ';\u200b'])(
  'toCsvRow takes linear time for a cell of %j again and again',
  async (part) => {
    proves('csv-formula')
    const cell = part.repeat(Math.ceil(30_000 / part.length))
    // With quadratic time it takes seconds.
    expect(await measureProcessorMs(() => toCsvRow([cell]))).toBeLessThan(500)
  },
)

type Quotes = 'of a cell' | 'anywhere' | 'ordinary'

/** The cells of a text, as a program reads it that takes this separator, and quotes where a cell begins, anywhere, or as any other character. */
function readCells(text: string, separator: string, quotes: Quotes): readonly string[] {
  const cells = ['']
  let isQuoted = false
  for (const character of text) {
    const cell = cells.at(-1) ?? ''
    const opens = quotes === 'anywhere' || (quotes === 'of a cell' && (isQuoted || cell === ''))
    if (character === '"' && opens) isQuoted = !isQuoted
    else if (!isQuoted && (character === separator || /[\r\n]/.test(character))) cells.push('')
    else cells[cells.length - 1] += character
  }
  return cells
}

const alphabet = ['a', ';', ',', '|', '"', '\t', '\n', '\u200b', '=', '＠']

/** All texts of up to four of these characters. */
function* createTexts(length = 4): Generator<string> {
  yield ''
  if (length > 0)
    for (const rest of createTexts(length - 1)) for (const one of alphabet) yield one + rest
}

describe.each([',', ';', '\t', '|'])('cells that are separated by %j', (separator) => {
  test.each<Quotes>(['of a cell', 'anywhere', 'ordinary'])(
    'are no formulas, with quotes %s',
    (quotes) => {
      proves('csv-formula')
      const faults = new Set<string>()
      for (const text of createTexts())
        for (const cell of readCells(toCsvRow(['x', text, 'y']), separator, quotes))
          if (/^[\s"\u200b]*[=+\-@＝＋－＠]/u.test(cell)) faults.add(text)
      expect([...faults].slice(0, 5)).toEqual([])
    },
  )
})
