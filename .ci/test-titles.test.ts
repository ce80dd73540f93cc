/** The titles of tests as they are read from a source. */
import { expect, test } from 'vitest'
import { findDeclarations, matchesTitle } from './test-titles.ts'

const gap = '…'
const titlesOf = (source: string) =>
  findDeclarations(source).map(({ groups, title }) =>
    [...groups, title].map(({ parts }) => parts.join(gap)).join(' › '),
  )

test.each([
  ['a string', `test('a', () => {})`, ['a']],
  ['a string in other quotes, escaped', String.raw`it("a \"b\" é", f)`, ['a "b" é']],
  ['a template', `test(\`a \${b.map((c) => \`\${c}\`)} d\`, f)`, ['a … d']],
  ['an expression', 'test(title, f)', ['…']],
  ['a string that is added to', `test('a' + b, f)`, ['…']],
  ['a table', `test.each([['x', f(1)]])('a %s of %d', f)`, ['a … of …']],
  ['a table of fields', `test.each(cases)('a $b.c, d', f)`, ['a …, d']],
  ['a table with types', `test.each<[string, () => void]>([])('a %s', f)`, ['a …']],
  ['a condition', `test.runIf(a() && b)('c', f)`, ['c']],
  ['a condition and a table', `describe.runIf(a).each(b)('%s', () => { test('c', f) })`, ['… › c']],
  [
    'describe blocks',
    `describe('a', () => { describe('b', () => { test('c', f) }) })`,
    ['a › b › c'],
  ],
  ['a title on its own line', `test(\n  'a',\n  async () => {},\n)`, ['a']],
  ['a comment', `// test('a', f)\n/* test('b', f) */`, []],
  ['a string with code in it', `const a = "test('b', f)"`, []],
  ['a regular expression with quotes', `const a = /['"(]/\ntest('b', f)`, ['b']],
  ['a division', `const a = b / 2\ntest('c', f) // d / e`, ['c']],
  ['a method of the same name', `/a/.test('b')\npattern.test('c')`, []],
])('findDeclarations in %s', (_, source, expected) => {
  expect(titlesOf(source)).toEqual(expected)
})

test('matchesTitle wants the whole text', () => {
  expect(matchesTitle({ parts: ['a.b'] }, 'a.b')).toBe(true)
  expect(matchesTitle({ parts: ['a.b'] }, 'axb')).toBe(false)
  expect(matchesTitle({ parts: ['a.b'] }, 'a.b c')).toBe(false)
  expect(matchesTitle({ parts: ['a ', ' c'] }, 'a b c')).toBe(true)
  expect(matchesTitle({ parts: ['a ', ' c'] }, 'a b')).toBe(false)
})
