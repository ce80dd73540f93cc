/** The catalogs: every language says everything, with the same values, and nothing is left over. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { proves } from '../../test/bed/proves.ts'
import { catalogs, chooseLanguage } from '../src/languages/catalogs.ts'

/** Each text by its path, such as `dialogs.pin.prompt`; values are 1001, 1002, 1003. */
const readTexts = (texts: object, path = ''): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(texts).flatMap(([name, text]) => {
      if (typeof text === 'object') return [...readTexts(text, `${path}${name}.`)]
      const value = typeof text === 'function' ? text(1001, 1002, 1003) : text
      return [[`${path}${name}`, String(value)] as const]
    }),
  )
const english = readTexts(catalogs.en)
const findValues = (text: string | undefined) => text?.match(/100\d/g)?.toSorted()

describe.each(['nl', 'fr', 'de'] as const)('%s', (language) => {
  const texts = readTexts(catalogs[language])

  test('has every text, with the same values', () => {
    proves('open-accessible')
    expect([...texts.keys()]).toEqual([...english.keys()])
    for (const [path, text] of texts) {
      expect([path, text.trim()]).not.toEqual([path, ''])
      expect([path, findValues(text)]).toEqual([path, findValues(english.get(path))])
    }
  })

  test('is translated', () => {
    proves('open-accessible')
    const same = [...texts].flatMap(([path, text]) => (text === english.get(path) ? [path] : []))
    // These words are the same in one of them.
    const shared = [
      'page.version',
      'page.versionTitle',
      'page.bad',
      'dialogs.pin.prompt',
      'page.address',
      'page.serviceAt',
      'dialogs.identity.holder.picture',
    ]
    expect(same.filter((path) => !shared.includes(path))).toEqual([])
  })
})

test('in French a narrow no-break space stands before a colon, a semicolon, a question mark', () => {
  const texts = [...readTexts(catalogs.fr)]
  expect(texts.filter(([, text]) => /[^\u202f/](?:[;?!]|:(?!\/\/))/.test(text))).toEqual([])
})

test.each([
  ['en', 0, 'Checked: 0 problems, 0 notes.'],
  ['en', 1, 'Checked: 1 problem, 1 note.'],
  ['nl', 1, 'Gecontroleerd: 1 probleem, 1 opmerking.'],
  ['fr', 0, 'Vérification terminée\u202f: 0 problème, 0 remarque.'],
  ['fr', 2, 'Vérification terminée\u202f: 2 problèmes, 2 remarques.'],
  ['de', 1, 'Geprüft: 1 Problem, 1 Hinweis.'],
  ['de', 3, 'Geprüft: 3 Probleme, 3 Hinweise.'],
] as const)('%s has a plural for %d', (language, count, text) => {
  expect(catalogs[language].page.checked(count, count)).toBe(text)
})

test.each([
  [['nl-BE', 'en'], 'nl'],
  [['pt', 'fr_CA'], 'fr'],
  [['DE'], 'de'],
  [['pt', '', undefined], 'en'],
  [['toString'], 'en'],
  [[], 'en'],
])('of %j the language is %s', (tags, language) => {
  expect(chooseLanguage(...tags)).toBe(language)
})

describe('each text is used', () => {
  const connector = fileURLToPath(new URL('..', import.meta.url))
  const read = (folder: string) =>
    readdirSync(join(connector, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.(ts|html)$/.test(file) && !file.startsWith('languages'))
      .map((file) => readFileSync(join(connector, folder, file), 'utf8'))
      .join('\n')
  const page = read('page')
  const program = read('src')

  test.each([
    ['page', page],
    ['dialogs', program],
    // The doctor names what it finds; with a finding its remedy is shown.
    ['findings', program],
  ] as const)('of %s', (part, source) => {
    const names = [...readTexts(catalogs.en[part]).keys()].map((path) => path.split('.').at(-1))
    const isUsed = (name: string | undefined) =>
      new RegExp(`[.'"]${name}\\b|[{,] ${name}[:,]? `).test(source)
    expect(names.filter((name) => !isUsed(name))).toEqual([])
  })
})
