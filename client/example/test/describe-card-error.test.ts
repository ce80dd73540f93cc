/** What the page says for each problem of a card, a PIN, and its own back end. */
import { createTestConnector } from '@cardwire/client/testing'
import { expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { BackEndError } from '../page/back-end.ts'
import { describeCardError } from '../page/describe-card-error.ts'

const atr = '3B8F80018073CC91CBF9A0000003080000100029'

/** What the page says when signing fails like this. */
async function sentenceFor(
  failure: Parameters<ReturnType<typeof createTestConnector>['fail']>[0],
  signal?: AbortSignal,
): Promise<string> {
  const connector = createTestConnector({ readers: [{ id: 'a', name: 'A reader' }] })
  connector.insertCard('a', { atr, modules: ['piv'] })
  const client = await connector.initialize()
  const [reader] = await client.readersCardAvailable()
  if (!reader) throw new Error('Cannot find the card')
  connector.fail(failure)
  const card = client.card(reader)
  const nonce = 'A'.repeat(44)
  return card.authenticate({ nonce, signal }).then(
    () => 'nothing failed',
    (error: unknown) => describeCardError(error),
  )
}

test.each([
  ['card-absent', 'There is no card in the reader. Insert it and try again.'],
  ['card-changed', 'The card was removed. Insert it and try again.'],
  ['card-busy', expect.stringContaining('Another program is using the card')],
  ['card-mute', expect.stringContaining('isn’t responding')],
  ['card-unsupported', expect.stringContaining('isn’t supported')],
  ['key-unknown', expect.stringContaining('no key for this')],
  ['key-unsupported', expect.stringContaining('can’t be used for this')],
  ['pin-invalid', expect.stringContaining('No attempt was used')],
  ['pin-blocked', expect.stringContaining('blocked')],
  ['pin-cancelled', 'You canceled the PIN entry. Nothing was signed.'],
  ['pin-timeout', expect.stringContaining('in time')],
  ['pin-busy', expect.stringContaining('Look for its window')],
  ['dialog-unavailable', expect.stringContaining('install pinentry-gnome3 or pinentry-qt')],
] as const)('describeCardError has a sentence of the page for %s', async (problem, sentence) => {
  proves('example-card-states')
  expect(await sentenceFor({ problem })).toEqual(sentence)
})

test.each([
  [2, 'The PIN was wrong. 2 attempts left.'],
  [1, 'The PIN was wrong. 1 attempt left.'],
  [0, expect.stringContaining('The PIN is blocked')],
  [undefined, 'The PIN was wrong.'],
])('describeCardError says how many attempts are left: %s', async (triesLeft, sentence) => {
  const tries = triesLeft === undefined ? {} : { triesLeft }
  expect(await sentenceFor({ problem: 'pin-wrong', ...tries })).toEqual(sentence)
})

test('describeCardError has the sentence of whoever refused for everything else', async () => {
  const description = 'Cannot do this: the administrator has to grant it'
  expect(await sentenceFor({ problem: 'grant-missing', description })).toBe(`${description}.`)
  expect(describeCardError(new BackEndError('Sign in first'))).toBe('Sign in first.')
})

test('describeCardError says that nothing was signed when the user has stopped it', async () => {
  expect(await sentenceFor('timeout', AbortSignal.abort())).toBe('Canceled. Nothing was signed.')
})

test('describeCardError throws an error that is a defect of the page', () => {
  const defect = new TypeError('x is undefined')
  expect(() => describeCardError(defect)).toThrow(defect)
})
