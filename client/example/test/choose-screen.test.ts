/** What the page shows for each failure of the library and of its own back end. */
import { CardwireError, newCodeWord } from '@cardwire/client'
import { createTestConnector, type ScriptedKind } from '@cardwire/client/testing'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { BackEndError } from '../page/back-end.ts'
import { chooseScreen } from '../page/choose-screen.ts'

beforeEach(() => void vi.spyOn(console, 'info').mockImplementation(() => undefined))
afterEach(() => vi.restoreAllMocks())

const jwt = 'e30.e30.e30'
const consentTitle = 'Allow this site to use your card reader?'
const thrownBy = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => undefined,
    (error: unknown) => error,
  )

/** What `initialize` rejects with when this is scripted. */
function failure(reason: ScriptedKind): Promise<unknown> {
  const connector = createTestConnector()
  connector.fail(reason)
  const signal = reason === 'permission-pending' ? AbortSignal.timeout(1) : undefined
  return thrownBy(connector.initialize({ jwt }, { signal }))
}

/** What a page gets that has not been let in, and with each code word that is not found. */
async function consentFailures(attempts: number): Promise<readonly unknown[]> {
  const connector = createTestConnector({ consent: false })
  connector.setClipboard(null)
  const first = await thrownBy(connector.initialize())
  if (!CardwireError.is(first) || !first.client) throw first
  const failures: unknown[] = [first]
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    failures.push(await thrownBy(first.client.getConsent(newCodeWord())))
  }
  return failures
}

test.each([
  ['not-running', 'missing'],
  ['certificate-untrusted', 'missing'],
  ['permission-needed', 'permission'],
  ['permission-pending', 'permission'],
  ['permission-denied', 'trouble'],
  ['permission-impossible', 'trouble'],
  ['page-insecure', 'trouble'],
  ['csp-blocked', 'trouble'],
  ['origin-refused', 'trouble'],
  ['token-refused', 'trouble'],
  ['signature-wrong', 'trouble'],
  ['answer-malformed', 'trouble'],
  ['not-responding', 'trouble'],
] as const)('chooseScreen for %s is %s', async (reason, screen) => {
  const error = await failure(reason)
  expect(error).toMatchObject({ kind: reason })
  expect(chooseScreen(error).screen).toBe(screen)
})

test('chooseScreen for a missing consent and for a code word that is refused asks for consent', async () => {
  const [first, , , third] = await consentFailures(3)
  expect([first, third]).toMatchObject([{ kind: 'consent-required' }, { kind: 'no-agent' }])
  expect([first, third].map((error) => chooseScreen(error).screen)).toEqual(['consent', 'no-agent'])
  const connector = createTestConnector({ consent: false })
  const asking = await thrownBy(connector.initialize())
  if (!CardwireError.is(asking) || !asking.client) throw asking
  const refused = await thrownBy(asking.client.getConsent('short'))
  expect(refused).toMatchObject({ kind: 'code-word-refused' })
  const { screen, texts } = chooseScreen(refused)
  expect([screen, texts['description']]).toEqual([
    'consent',
    'This code can’t be used. Copy the new code.',
  ])
})

test('the screen trouble has a heading of the page and the sentence of the library', async () => {
  expect(chooseScreen(await failure('origin-refused')).texts).toEqual({
    title: 'This site isn’t allowed to use Cardwire',
    description: 'This site isn’t allowed to use Cardwire. Contact the site’s support.',
  })
})

test('the first request for consent shows no description, because nothing went wrong', async () => {
  const [first] = await consentFailures(0)
  expect(chooseScreen(first).texts).toEqual({ title: consentTitle, description: '' })
})

test('each code that was not found has a sentence of its own, and after the third a screen', async () => {
  const failures = await consentFailures(3)
  const screens = failures.map((error, codesNotFound) =>
    chooseScreen(error, { codesNotFound, hadConsent: false }),
  )
  expect(screens.map(({ screen }) => screen)).toEqual(['consent', 'consent', 'consent', 'no-agent'])
  expect(screens.map(({ texts }) => texts['description'])).toEqual([
    '',
    expect.stringMatching(/couldn’t find the code.*Copy this new code/),
    expect.stringMatching(/couldn’t find the second code.*same desktop session.*one attempt left/),
    expect.any(String),
  ])
})

test('the screen consent has the sentence of the library while no more codes are looked for', async () => {
  const [first] = await consentFailures(0)
  if (!CardwireError.is(first) || !first.client) throw first
  const error = new CardwireError(
    { code: '500', reason: 'too-many-codes', client: first.client },
    'Cannot look for it: wait',
  )
  expect(chooseScreen(error, { codesNotFound: 2, hadConsent: true })).toEqual({
    screen: 'consent',
    texts: {
      title: consentTitle,
      description: 'Too many codes were copied. Wait a minute, then copy a new one.',
    },
  })
})

test('a consent that ended while the page was open is named as the reason', async () => {
  const [first] = await consentFailures(0)
  expect(chooseScreen(first, { codesNotFound: 0, hadConsent: true }).texts).toEqual({
    title: 'This site no longer has access',
    description: expect.stringMatching(/revoked or has expired.*allow it again/),
  })
})

test('a back end that does not answer leads to the screen trouble', () => {
  const { screen, texts } = chooseScreen(new BackEndError('Cannot reach it'))
  expect([screen, texts['description']]).toEqual(['trouble', 'Cannot reach it.'])
})

test('chooseScreen throws an error that is a defect of the page', () => {
  const defect = new TypeError('x is undefined')
  expect(() => chooseScreen(defect)).toThrow(defect)
})
