/** What the page says when something failed. */
import { createTestConnector } from '@cardwire/client/testing'
import { afterEach, beforeEach, expect, type MockInstance, test, vi } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { BackEndError } from '../page/back-end.ts'
import { describeError } from '../page/describe-error.ts'

const atr = '3B8F80018073CC91CBF9A0000003080000100029'

let toConsole: MockInstance
beforeEach(() => {
  toConsole = vi.spyOn(console, 'info').mockImplementation(() => undefined)
})
afterEach(() => vi.restoreAllMocks())

/** What the page says when signing in fails like this. */
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
  return client
    .card(reader)
    .authenticate({ nonce: 'A'.repeat(44), signal })
    .then(
      () => 'nothing failed',
      (error: unknown) => describeError(error),
    )
}

test.each([
  [{ problem: 'card-absent' }, 'There is no card in the reader. Insert your card, then try again.'],
  [{ problem: 'pin-wrong', triesLeft: 2 }, 'The PIN is wrong. 2 attempts left.'],
  [{ problem: 'pin-wrong', triesLeft: 0 }, expect.stringContaining('Your PIN is blocked.')],
  [{ problem: 'pin-cancelled' }, 'You canceled the PIN entry.'],
  [{ problem: 'file-taken' }, expect.stringContaining('already exists')],
  [
    { problem: 'grant-missing' },
    'Your administrator hasn’t allowed this site to do this. To request access, contact your administrator.',
  ],
] as const)('the page says the sentence of the library for %o', async (failure, sentence) => {
  proves('example-card-states', 'example-files')
  expect(await sentenceFor(failure)).toEqual(sentence)
})

test('what fails without a program for windows says what to install', async () => {
  proves('example-card-states')
  expect(await sentenceFor({ problem: 'dialog-unavailable' })).toMatch(
    /install pinentry-gnome3 or pinentry-qt for PINs, and zenity or kdialog for folders/,
  )
})

test('the sentence for developers is in the console, and not on the page', async () => {
  const description = 'Cannot sign: the administrator has to grant it'
  expect(await sentenceFor({ problem: 'grant-missing', description })).not.toContain('Cannot sign')
  expect(toConsole).toHaveBeenCalledExactlyOnceWith(description)
})

test('a user who stops it and a back end that refuses have their sentences', async () => {
  expect(await sentenceFor('timeout', AbortSignal.abort())).toBe('Canceled.')
  expect(describeError(new BackEndError('Sign in first'))).toBe('Sign in first.')
})

test('describeError throws an error that is a defect of the page', () => {
  const defect = new TypeError('x is undefined')
  expect(() => describeError(defect)).toThrow(defect)
})
