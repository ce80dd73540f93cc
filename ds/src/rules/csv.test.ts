/** Cells that spreadsheets would take for something else. */
import { expect, test } from 'vitest'
import { toCsvRow } from './csv.ts'

test.each([
  ['plain', 'plain'],
  ['two words', 'two words'],
  ['a,b', '"a,b"'],
  ['say "x"', '"say ""x"""'],
  ['line\nline', '"line\nline"'],
  ['=1+1', "'=1+1"],
  ['+1', "'+1"],
  ['-1', "'-1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1', "'\t=1"],
  ['\r=1', '"\'\r=1"'],
  ['=HYPERLINK("x","y")', '"\'=HYPERLINK(""x"",""y"")"'],
  ['', ''],
])('toCsvRow writes %j as %j', (cell, written) => {
  expect(toCsvRow([cell, -7])).toBe(`${written},-7\r\n`)
})
