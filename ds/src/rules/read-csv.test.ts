import { expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { toCsvRow } from './csv.ts'
import { createCsvReader } from './read-csv.ts'

/** In parts of `size` characters; of each row its line and its cells, with bars between them. */
function read(text: string, size = text.length || 1) {
  const reader = createCsvReader()
  const parts = Array.from({ length: Math.ceil(text.length / size) }, (_, at) =>
    text.slice(at * size, (at + 1) * size),
  )
  const rows = [...parts.flatMap((part) => reader.push(part)), ...reader.end()]
  return rows.map(({ line, cells }) => [line, ...cells].join('|'))
}

test.each([
  ['commas', 'a,b\r\n1,2\r\n', ['1|a|b', '2|1|2']],
  ['semicolons', 'a;b;c,d\n1;2;3', ['1|a|b|c,d', '2|1|2|3']],
  ['tabs', 'a\tb\n1\t', ['1|a|b', '2|1|']],
  ['tabs, with more commas in the first line', 'a, b, c\td\n1,2\t3', ['1|a, b, c|d', '2|1,2|3']],
  ['tabs behind empty lines and an empty cell', '\r\n\n\ta\tb\n\t1\t\n', ['3||a|b', '4||1|']],
  ['quotes', 'a,b\n"1,""x""",\n', ['1|a|b', '2|1,"x"|']],
  ['line breaks in a cell', 'a,b\n"1\n2",3\n4,5\n', ['1|a|b', '2|1\n2|3', '4|4|5']],
  ['empty lines', 'a,b\n\n,\n1,2\n\n', ['1|a|b', '4|1|2']],
  ['a quote within a cell', 'a,b\n1",2\n', ['1|a|b', '2|1"|2']],
  ['one column', 'a\n1\n', ['1|a', '2|1']],
  ['nothing', '', []],
])('createCsvReader reads %s, in parts of any size', (_, text, rows) => {
  proves('tag-import')
  expect(read(text)).toEqual(rows)
  expect(read(text, 1)).toEqual(rows)
  expect(read(text, 3)).toEqual(rows)
})

test.each([
  ['plain'],
  ['=1+1'],
  ['-x'],
  ['a,=1'],
  ['a"b;\t@c'],
  ['\tx'],
  ['line\r\n+break'],
  ["it's"],
])('createCsvReader reads what toCsvRow writes of %j', (cell) => {
  proves('tag-import', 'csv-export')
  const rows = read(toCsvRow(['x', 'y', 'z']) + toCsvRow([cell, 'tag', 'other']))
  expect(rows[1]).toBe(`2|${cell}|tag|other`)
})

test.each([
  ['a quote that is not closed', 'a,b\n1,"2\n'],
  ['a row that is too long', `a,b\n1,${'x'.repeat(65_536)}\n`],
])('createCsvReader refuses %s, with its line', (_, text) => {
  proves('tag-import')
  expect(() => read(text)).toThrow('in line 2')
})
