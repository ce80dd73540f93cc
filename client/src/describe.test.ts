/** The kinds of failures, and the sentences of `describe` for each of them in each language. */

import { problems } from '@cardwire/protocol/problem'
import { afterEach, expect, expectTypeOf, test, vi } from 'vitest'
import { proves } from '../../test/bed/proves.ts'
import { copyCodeWord } from './code-word.ts'
import type { ConnectorProblem } from './connector-problem.ts'
import type { CardwireClient } from './core-service.ts'
import { describe as describeError, type Language } from './describe.ts'
import { CardwireError, type CardwireFailure } from './error.ts'
import type { CardwireErrorKind } from './kind.ts'
import type { Reason } from './reason.ts'

afterEach(() => vi.unstubAllGlobals())

const languages: readonly Language[] = ['en', 'nl', 'fr', 'de']

interface Caught {
  readonly reason: Reason
  readonly problem?: ConnectorProblem
  readonly wireCode?: string
  readonly triesLeft?: number
}

/** As a page catches it; the constructor knows which reason may have which code. */
const createError = ({ reason, ...details }: Caught) =>
  new CardwireError(
    { code: '100', reason } as ConstructorParameters<typeof CardwireError>[0],
    'Cannot use the connector: a sentence for developers',
    details,
  )

const ofConnector = (problem: ConnectorProblem): Caught => ({
  ...{ reason: 'refused', problem, wireCode: problems[problem].wire },
})

/** Each kind of failure, and what a page catches then. */
const failures = {
  'not-running': { reason: 'not-running' },
  'not-responding': { reason: 'not-responding' },
  'certificate-untrusted': { reason: 'certificate-untrusted' },
  'origin-refused': { reason: 'origin-refused' },
  'permission-needed': { reason: 'permission-needed' },
  'permission-pending': { reason: 'permission-pending' },
  'permission-denied': { reason: 'permission-denied' },
  'permission-impossible': { reason: 'permission-impossible' },
  'page-insecure': { reason: 'page-insecure' },
  'csp-blocked': { reason: 'csp-blocked' },
  'configuration-invalid': { reason: 'configuration-invalid' },
  'consent-required': { reason: 'consent-required' },
  'no-agent': { reason: 'no-agent' },
  'too-many-codes': { reason: 'too-many-codes' },
  'code-word-refused': { reason: 'code-word-refused' },
  'token-missing': { reason: 'token-missing' },
  'token-unavailable': { reason: 'token-unavailable' },
  'token-expired': { reason: 'token-expired' },
  'token-refused': { reason: 'token-refused' },
  'signature-wrong': { reason: 'signature-wrong' },
  timeout: { reason: 'timeout' },
  aborted: { reason: 'aborted' },
  'answer-malformed': { reason: 'answer-malformed' },
  internal: ofConnector('internal'),
  'too-many-requests': ofConnector('too-many-requests'),
  'caller-refused': ofConnector('caller-refused'),
  'policy-expired': ofConnector('policy-expired'),
  'device-blocked': ofConnector('device-blocked'),
  'grant-missing': ofConnector('grant-missing'),
  'dialog-unavailable': ofConnector('dialog-unavailable'),
  'route-unknown': ofConnector('route-unknown'),
  'module-unknown': ofConnector('module-unknown'),
  'request-invalid': ofConnector('body-malformed'),
  unknown: ofConnector('logs-kept'),
  'pcsc-unavailable': ofConnector('pcsc-unavailable'),
  'reader-unknown': ofConnector('reader-unknown'),
  'card-absent': ofConnector('card-absent'),
  'card-changed': ofConnector('card-changed'),
  'card-unsupported': ofConnector('card-unsupported'),
  'card-mute': ofConnector('card-mute'),
  'card-busy': ofConnector('card-busy'),
  'card-session-unknown': ofConnector('card-session-unknown'),
  'command-refused': ofConnector('command-refused'),
  'key-unknown': ofConnector('key-unknown'),
  'key-unsupported': ofConnector('key-unsupported'),
  'pin-busy': ofConnector('pin-busy'),
  'pin-wrong': ofConnector('pin-wrong'),
  'pin-blocked': ofConnector('pin-blocked'),
  'pin-cancelled': ofConnector('pin-cancelled'),
  'pin-timeout': ofConnector('pin-timeout'),
  'pin-invalid': ofConnector('pin-invalid'),
  'identity-refused': ofConnector('identity-refused'),
  'file-type-unknown': ofConnector('file-type-unknown'),
  'file-type-unmapped': ofConnector('file-type-unmapped'),
  'file-type-refused': ofConnector('file-type-refused'),
  'file-type-managed': ofConnector('file-type-managed'),
  'file-path-refused': ofConnector('file-path-refused'),
  'file-unknown': ofConnector('file-unknown'),
  'file-taken': ofConnector('file-taken'),
  'file-too-large': ofConnector('file-too-large'),
  'disk-failed': ofConnector('disk-failed'),
  'disk-full': ofConnector('disk-full'),
} as const satisfies Record<CardwireErrorKind, Caught>
const kinds = Object.entries<Caught>(failures)

/** Codes, commands and the grammar of developers. */
const developerText = /Cannot |cardwire |`|\d{3}|[a-z]-[a-z]+-|undefined/
/** What only developers have a name for, in any of the languages. */
const technicalTerm =
  /\b(certifi|zertifi|API|JSON|token|jeton|origin|header|modul|connector|konnektor|connecteur|registry|agent|policy|CSP|frame|PKCS|signatur|handtekening|schlüssel|sleutel|clé|key\b)/iu

test.each(kinds)('%s is a separate kind, with sentences in four languages', (kind, caught) => {
  proves('errors-for-users')
  const error = createError(caught)
  expect(error.kind).toBe(kind)
  const texts = languages.map((language) => describeError(error, { language }))
  expect(new Set(texts).size).toBe(4)
  for (const text of texts) {
    expect(text).toMatch(/^\p{Lu}.*\.$/u)
    expect(text).not.toMatch(developerText)
    expect(text).not.toMatch(technicalTerm)
    expect(text).not.toContain(error.description)
  }
})

test.each(languages)('no two of the 62 kinds have the same sentence in %s', (language) => {
  const texts = kinds.map(([, caught]) => describeError(createError(caught), { language }))
  expect(texts.length).toBe(62)
  expect(texts.filter((text, at) => texts.indexOf(text) !== at)).toEqual([])
})

test('the compiler knows every kind of an error that a page catches', () => {
  type Error = CardwireError & CardwireFailure
  expectTypeOf<Error['kind']>().toEqualTypeOf<keyof typeof failures>()
  expectTypeOf<
    Extract<Error, { kind: 'consent-required' }>['client']
  >().toEqualTypeOf<CardwireClient>()
})

/** What only a mistake in the page causes, and what no call of this library does. */
const kindsOfOthers: Partial<Record<ConnectorProblem, CardwireErrorKind>> = {
  'body-malformed': 'request-invalid',
  'body-too-large': 'request-invalid',
  'content-type-unsupported': 'request-invalid',
  'input-invalid': 'request-invalid',
  'header-too-large': 'request-invalid',
  'host-refused': 'request-invalid',
  'page-unnamed': 'request-invalid',
  'csrf-header-missing': 'request-invalid',
  'management-refused': 'request-invalid',
  'token-refused': 'request-invalid',
  'consent-required': 'unknown',
  'agent-unknown': 'unknown',
  'printer-unknown': 'request-invalid',
  'printing-unavailable': 'unknown',
  'printing-refused': 'unknown',
  'store-unavailable': 'unknown',
  'certificate-refused': 'unknown',
  'logs-kept': 'unknown',
}

test.each(
  Object.entries(problems).flatMap(([name, entry]) =>
    'wire' in entry ? [name as ConnectorProblem] : [],
  ),
)('the problem %s of a connector is a kind of failure', (problem) => {
  expect(createError(ofConnector(problem)).kind).toBe(kindsOfOthers[problem] ?? problem)
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
  const error = createError({
    ...ofConnector('pin-wrong'),
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
    expect(describeError(createError({ reason: 'aborted' }), { language })).toBe(text)
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
  expect(describeError(createError({ reason: 'token-expired' }))).toBe(
    'Your session has expired. Reload the page.',
  )
})

test.each([
  ['card-folded', '702006'],
  ['constructor', '112600'],
  [undefined, '701001'],
] as const)(
  'the problem %s with the code %s, which this version does not know, is an unknown failure',
  (problem, wireCode) => {
    const error = createError({
      ...{ reason: 'refused', wireCode },
      ...(problem && { problem: problem as unknown as ConnectorProblem }),
    })
    expect(error.kind).toBe('unknown')
    expect(describeError(error, { language: 'en' })).toBe(
      'Something went wrong. Try again. If it keeps happening, contact the site’s support.',
    )
  },
)

test.each(['card-folded', 'constructor'])(
  'an error of a newer copy of the library, of the kind %s, is an unknown failure',
  (kind) => {
    const error = Object.assign(createError({ reason: 'aborted' }), { kind })
    expect(describeError(error as CardwireError, { language: 'en' })).toBe(
      'Something went wrong. Try again. If it keeps happening, contact the site’s support.',
    )
  },
)
