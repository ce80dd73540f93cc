/** The words of the guide: each is found where it stands as a word, and not where an exception is. */
import { expect, test } from 'vitest'
import { readTexts } from './source-texts.ts'
import { findFaults, isSentence, readGuide } from './writing-guide.ts'

const guide = readGuide(`# How we write
## Words
Some text.

| Say | Not |
|---|---|
| only | alone |
| sign in | log in, login |
| card reader | |

## Exceptions

| Where | Words | Why |
|---|---|---|
| \`a/b.ts\` | alone | a name |
`)
const check = (place: string, text: string) => findFaults(guide, [{ place, text }])
const unused = 'docs/writing.md: nothing needs "alone" in a/b.ts'

test.each([
  ['This user Alone.', ['c.ts:1: "alone", say: only', unused]],
  ['Please log\n  in now', ['c.ts:1: "log in", say: sign in', unused]],
  ['Login', ['c.ts:1: "login", say: sign in', unused]],
  ['standalone alone-standing logins', [unused]],
  ['', [unused]],
])('%j is checked word by word', (text, faults) => {
  expect(check('c.ts:1', text)).toEqual(faults)
})

test.each([
  ['Cannot use it: it is no key', ['c.ts:1: "is no", say: is not a', unused]],
  [
    'nss trusts the root: a',
    ['c.ts:1: "trusts the root", say: trust the root certificate', unused],
  ],
  ['There is no key, it is no longer there, and there are no others', [unused]],
  ['nss trusts the root certificate', [unused]],
])('%j is checked for clumsy phrases', (text, faults) => {
  expect(check('c.ts:1', text)).toEqual(faults)
})

test('an exception is for one file, and has to be needed', () => {
  expect(check('a/b.ts:7', 'alone')).toEqual([])
  expect(check('a/b.ts:7', 'login')).toEqual(['a/b.ts:7: "login", say: sign in', unused])
})

test('the texts of a catalog are read, and not its names', () => {
  const source = [
    "import { count } from './count.ts'",
    "export const texts = { key: 'value', 'a-key': { title: () => `Version` } }",
    "export const list = ['first', <p>element</p>]",
  ].join('\n')
  const texts = readTexts('texts.tsx', source).filter(({ text }) => text !== '')
  expect(texts).toEqual([
    { place: 'texts.tsx:2', text: 'value' },
    { place: 'texts.tsx:2', text: 'Version' },
    { place: 'texts.tsx:3', text: 'first' },
    { place: 'texts.tsx:3', text: 'element' },
  ])
})

test.each([
  ['Cannot sign: a digest has 32 bytes', true],
  [': no one\n  else', true],
  ['digest', false],
  ['device-unknown', false],
  ['SELECT 1', false],
  ['', false],
])('whether %j is a sentence: %s', (text, expected) => {
  expect(isSentence({ place: 'a.ts:1', text })).toBe(expected)
})
