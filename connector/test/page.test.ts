/** The texts of the local page: every language has every text, with the same places for values. */
import { expect, test } from 'vitest'
import { findingCodes } from '../page/finding-codes.ts'
import { chooseLanguage, fill, languages } from '../page/languages.ts'
import { readPageFiles } from '../src/api/page/read-page-files.ts'

const english = languages['en']
const findPlaces = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(String).toSorted()

test.each(Object.keys(languages))('%s has every text, with the same places for values', (tag) => {
  const { texts } = languages[tag] ?? {}
  expect(Object.keys(texts ?? {})).toEqual(Object.keys(english?.texts ?? {}))
  for (const [name, text] of Object.entries(texts ?? {})) {
    expect(text.trim()).not.toBe('')
    const original = Object.entries(english?.texts ?? {}).find(([it]) => it === name)?.[1] ?? ''
    expect([name, findPlaces(text)]).toEqual([name, findPlaces(original)])
  }
})

test.each(Object.keys(languages))(
  '%s has a sentence for everything that the doctor finds',
  (tag) => {
    const { findings } = languages[tag] ?? {}
    expect(Object.keys(findings ?? {}).toSorted()).toEqual([...findingCodes].toSorted())
  },
)

test.each(['nl', 'fr', 'de'])('%s is translated', (tag) => {
  const same = Object.entries(languages[tag]?.texts ?? {}).filter(
    ([name, text]) =>
      text === Object.entries(english?.texts ?? {}).find(([it]) => it === name)?.[1],
  )
  // These words are the same in one of them.
  expect(
    same.map(([name]) => name).filter((name) => !['version', 'versionTitle', 'bad'].includes(name)),
  ).toEqual([])
})

test.each([
  [['nl-BE', 'en'], 'nl'],
  [['pt', 'fr-CA'], 'fr'],
  [['DE'], 'de'],
  [['pt', ''], 'en'],
  [[], 'en'],
])('of %j the page takes %s', (tags, language) => {
  expect(chooseLanguage(tags)).toBe(language)
})

test('a text is filled with its values, and keeps a place without one', () => {
  expect(fill('{a} and {b}', { a: 1 })).toBe('1 and {b}')
})

test('every module that a file of the page imports is served, as JavaScript', () => {
  const files = readPageFiles()
  expect(files['/']?.type).toBe('text/html; charset=utf-8')
  for (const [path, { text, type }] of Object.entries(files)) {
    if (type !== 'text/javascript; charset=utf-8') continue
    for (const [, specifier = ''] of text.matchAll(/from ['"]([^'"]+)['"]/g))
      expect(Object.keys(files)).toContain(new URL(specifier, `http://page${path}`).pathname)
  }
})
