/** What the page shows for each failure of the library and of its own back end. */
import { CardwireError, type Reason } from '@cardwire/client'
import { expect, test } from 'vitest'
import { BackEndError } from '../page/back-end.ts'
import { nextScreen } from '../page/next-screen.ts'

/** An error of that reason, whatever its code. */
const failure = (reason: Reason) =>
  Object.assign(new CardwireError({ code: '199', reason: 'timeout' }, 'Cannot do it: because'), {
    reason,
  })

test.each([
  ['not-running', 'missing'],
  ['certificate-untrusted', 'missing'],
  ['permission-needed', 'permission'],
  ['permission-pending', 'permission'],
  ['consent-required', 'consent'],
  ['no-agent', 'consent'],
  ['code-word-refused', 'consent'],
  ['permission-denied', 'trouble'],
  ['origin-refused', 'trouble'],
  ['token-refused', 'trouble'],
] as const)('%s leads to the screen %s', (reason, screen) => {
  expect(nextScreen(failure(reason)).screen).toBe(screen)
})

test('trouble has a heading of its own and the sentence of the library', () => {
  expect(nextScreen(failure('origin-refused')).texts).toEqual({
    title: 'This site is not on the list of Cardwire',
    description: 'Cannot do it: because',
  })
})

test('the first question for consent is no failure: it says nothing went wrong', () => {
  expect(nextScreen(failure('consent-required')).texts).toEqual({ description: '' })
})

test('a code that was looked for and not found is said to be so, every time', () => {
  for (const reason of ['consent-required', 'no-agent'] as const) {
    const { screen, texts } = nextScreen(failure(reason), true)
    expect([screen, texts['description']]).toEqual([
      'consent',
      expect.stringMatching(/did not find the code.*same desktop session/),
    ])
  }
  const { description } = nextScreen(failure('code-word-refused'), true).texts
  expect(description).toBe('Cannot do it: because')
})

test('a back end that does not answer is told as such', () => {
  const { screen, texts } = nextScreen(new BackEndError('Cannot reach it'))
  expect([screen, texts['description']]).toEqual(['trouble', 'Cannot reach it'])
})

test('a defect of the page is none of these, and is thrown on', () => {
  const defect = new TypeError('x is undefined')
  expect(() => nextScreen(defect)).toThrow(defect)
})
