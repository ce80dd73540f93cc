/** The sentences of `describe`: each reason and each problem of a connector, in each language. */

import { problems } from '@cardwire/protocol/problem'
import { afterEach, expect, test, vi } from 'vitest'
import { proves } from '../../test/bed/proves.ts'
import { copyCodeWord } from './code-word.ts'
import type { ConnectorProblem } from './connector-problem.ts'
import { describe as describeError, type Language } from './describe.ts'
import { CardwireError } from './error.ts'
import { type Reason, reasons } from './reason.ts'

afterEach(() => vi.unstubAllGlobals())

const languages: readonly Language[] = ['en', 'nl', 'fr', 'de']

/** As a page catches it; the constructor knows which reason may have which code. */
const createError = (
  reason: Reason,
  details: { readonly problem?: ConnectorProblem; readonly triesLeft?: number } = {},
) =>
  new CardwireError(
    { code: '100', reason } as ConstructorParameters<typeof CardwireError>[0],
    'Cannot use the connector: a sentence for developers',
    details,
  )

const failures = [
  ...Object.keys(reasons)
    .filter((reason) => reason !== 'refused')
    .map((reason) => ({ name: `the reason ${reason}`, error: createError(reason as Reason) })),
  ...Object.entries(problems)
    .filter(([, entry]) => 'wire' in entry)
    .map(([name]) => ({
      name: `the problem ${name}`,
      error: createError('refused', { problem: name as ConnectorProblem }),
    })),
]

test('there are sentences for 23 reasons and for the 56 problems of a connector', () => {
  expect(failures.length).toBe(23 + 56)
})

test.each(failures)('$name has sentences for users in four languages', ({ error }) => {
  proves('errors-for-users')
  const texts = languages.map((language) => describeError(error, { language }))
  expect(new Set(texts).size).toBe(languages.length)
  for (const text of texts) {
    // Whole sentences without ids, codes, commands and the grammar of developers.
    expect(text).toMatch(/^\p{Lu}.*\.$/u)
    expect(text).not.toMatch(/Cannot |cardwire |`|\d{3}|[a-z]-[a-z]+-|undefined/)
    expect(text).not.toContain(error.description)
  }
})

test.each([
  [1, 'The PIN is wrong. 1 attempt left.', 'en'],
  [2, 'The PIN is wrong. 2 attempts left.', 'en-US'],
  [1, 'De pincode is onjuist. Nog 1 poging.', 'nl-BE'],
  [2, 'De pincode is onjuist. Nog 2 pogingen.', 'nl'],
  [1, 'Le code PIN est incorrect. Il vous reste 1 tentative.', 'fr-CH'],
  [2, 'Le code PIN est incorrect. Il vous reste 2 tentatives.', 'fr'],
  [1, 'Die PIN ist falsch. Sie haben noch 1 Versuch.', 'de-AT'],
  [2, 'Die PIN ist falsch. Sie haben noch 2 Versuche.', 'DE'],
  [0, 'Your PIN is blocked. Contact your card issuer to unblock it.', 'en'],
  [undefined, 'The PIN is wrong.', 'en'],
])('a wrong PIN with %s attempts left: %s', (triesLeft, text, language) => {
  const error = createError('refused', {
    problem: 'pin-wrong',
    ...(triesLeft !== undefined && { triesLeft }),
  })
  expect(describeError(error, { language })).toBe(text)
})

test.each([
  { language: 'fr-BE', page: 'de', browser: ['nl'], text: 'Annulé.' },
  { page: 'de-AT', browser: ['nl'], text: 'Abgebrochen.' },
  { page: '', browser: ['pt-BR', 'nl-BE', 'fr'], text: 'Geannuleerd.' },
  { page: 'pt', browser: ['fr'], text: 'Annulé.' },
  { page: 'pt', browser: [], text: 'Canceled.' },
  { language: 'constructor', page: 'de', browser: ['nl'], text: 'Canceled.' },
  { language: '', page: 'de', browser: [], text: 'Abgebrochen.' },
])(
  'the language $language, a page in "$page" and a browser in $browser: $text',
  ({ language, page, browser, text }) => {
    vi.stubGlobal('document', { documentElement: { lang: page } })
    vi.stubGlobal('navigator', { languages: browser })
    expect(describeError(createError('aborted'), { language })).toBe(text)
  },
)

test('what copying a code word came to has sentences, too', async () => {
  const refuse = { writeText: () => Promise.reject(new Error('NotAllowed')) }
  const outcomes = [
    await copyCodeWord('word', { writeText: async () => undefined }),
    await copyCodeWord('word', refuse),
  ]
  expect(outcomes.map((outcome) => describeError(outcome, { language: 'en' }))).toEqual([
    'The code is copied.',
    'The code wasn’t copied. Select it and copy it yourself.',
  ])
})

test('a program without a page and a browser gets English', () => {
  vi.stubGlobal('navigator', undefined)
  expect(describeError(createError('token-expired'))).toBe(
    'Your session has expired. Reload the page.',
  )
})

test.each(['card-folded', 'constructor', undefined])(
  'the problem %s, which this version does not know, is an unknown failure',
  (problem) => {
    const error = createError('refused', problem ? { problem: problem as ConnectorProblem } : {})
    expect(describeError(error, { language: 'en' })).toBe(
      'Something went wrong in Cardwire. Try again. If it keeps happening, contact your administrator.',
    )
  },
)
