/** What the page shows for each failure of the library and of its own back end. */
import { CardwireError, type Reason } from '@cardwire/client'
import { expect, test } from 'vitest'
import { BackEndError } from '../page/back-end.ts'
import { chooseScreen } from '../page/choose-screen.ts'

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
] as const)('chooseScreen for %s is %s', (reason, screen) => {
  expect(chooseScreen(failure(reason)).screen).toBe(screen)
})

test('the screen trouble has a heading of the page and the sentence of the library', () => {
  expect(chooseScreen(failure('origin-refused')).texts).toEqual({
    title: 'This site is not on the list of Cardwire',
    description: 'Cannot do it: because',
  })
})

test('the first request for consent shows no description, because nothing went wrong', () => {
  expect(chooseScreen(failure('consent-required')).texts).toEqual({ description: '' })
})

test('a code that was not found is reported, every time', () => {
  for (const reason of ['consent-required', 'no-agent'] as const) {
    const { screen, texts } = chooseScreen(failure(reason), true)
    expect([screen, texts['description']]).toEqual([
      'consent',
      expect.stringMatching(/did not find the code.*same desktop session/),
    ])
  }
  const { description } = chooseScreen(failure('code-word-refused'), true).texts
  expect(description).toBe('Cannot do it: because')
})

test('a back end that does not answer leads to the screen trouble', () => {
  const { screen, texts } = chooseScreen(new BackEndError('Cannot reach it'))
  expect([screen, texts['description']]).toEqual(['trouble', 'Cannot reach it'])
})

test('chooseScreen throws an error that is a defect of the page', () => {
  const defect = new TypeError('x is undefined')
  expect(() => chooseScreen(defect)).toThrow(defect)
})
