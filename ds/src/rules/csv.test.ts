/** Cells that spreadsheets would take for something else. */
import { expect, test } from 'vitest'
import { csvRow } from './csv.ts'

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
])('csvRow writes %j as %j', (cell, written) => {
  expect(csvRow([cell, -7])).toBe(`${written},-7\r\n`)
})
