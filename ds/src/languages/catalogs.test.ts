/** The catalogs: every language says everything, with the same values, marks and links, and is translated. */
import { describe, expect, test } from 'vitest'
import { catalogs } from './catalogs.ts'

/** A value that is a number, a text, and what puts an element around words. */
function createValue(number: number) {
  const wrap = () => `${number}`
  return Object.assign(wrap, { valueOf: () => number, toString: () => `${number}` })
}
const values = [101, 102, 103, 104, 105].map(createValue)

/** Each text by its path, such as `frame.signOut`. */
const readTexts = (texts: object, path = ''): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(texts).flatMap(([name, text]) => {
      if (typeof text === 'object') return [...readTexts(text, `${path}${name}.`)]
      const value = typeof text === 'function' ? text(...values) : text
      return [[`${path}${name}`, String(value)] as const]
    }),
  )
const english = readTexts(catalogs.en)
const findValues = (text: string | undefined) => [...new Set(text?.match(/10[1-5]/g))].toSorted()

describe.each(['nl', 'fr', 'de'] as const)('%s', (language) => {
  const texts = readTexts(catalogs[language])

  test('has every text, with the same values', () => {
    expect([...texts.keys()].toSorted()).toEqual([...english.keys()].toSorted())
    for (const [path, text] of texts) {
      expect([path, text.trim()]).not.toEqual([path, ''])
      expect([path, findValues(text)]).toEqual([path, findValues(english.get(path))])
    }
  })

  test('is translated', () => {
    const same = [...texts].flatMap(([path, text]) =>
      text === english.get(path) && /[a-z]{3} [a-z]{3}/i.test(text) ? [path] : [],
    )
    expect(same).toEqual([])
  })
})

test('fr has a narrow no-break space before high punctuation and inside guillemets', () => {
  const wrong = [...readTexts(catalogs.fr)].filter(([, text]) =>
    /[ \u00a0](?:[:;?!»](?:\s|<|$))|«[^\u202f]/.test(text),
  )
  expect(wrong).toEqual([])
})
