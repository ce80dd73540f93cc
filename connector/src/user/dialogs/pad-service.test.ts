/** PINs at the pads of readers: what the notice says, and how notice and operation end each other. */
import { Problem } from '@cardwire/protocol/problem'
import { expect, test, vi } from 'vitest'
import { proves } from '../../../../test/bed/proves.ts'
import type { Notice, NoticeEnd, ShowNotice } from '../../system/desktop/notice.ts'
import type { Decision } from '../../system/desktop/question.ts'
import { createDialogQueue } from './dialog-queue.ts'
import { openPinDialogs } from './open-pin-dialogs.ts'
import type { PinRequest } from './pin-request.ts'

/** A desktop whose notices a test closes; a notice goes with its signal. */
function openDesk(decision: Decision = 'refused') {
  const notices: { readonly notice: Notice; readonly end: (end: NoticeEnd) => void }[] = []
  let open = 0
  const showNotice: ShowNotice = async (notice, signal) => {
    const { promise, resolve } = Promise.withResolvers<NoticeEnd>()
    signal.addEventListener('abort', () => resolve('late'))
    notices.push({ notice, end: resolve })
    open += 1
    const end = await promise
    open -= 1
    return end
  }
  const questions: string[] = []
  const { usePad } = openPinDialogs(
    {
      showNotice,
      askSecret: async () => ({ kind: 'unavailable' }),
      askQuestion: async ({ text }) => {
        questions.push(text)
        return decision
      },
    },
    { queueDialog: createDialogQueue(), language: 'en', clock: () => 0 },
  )
  return { notices, usePad, questions, openNotices: () => open }
}

const request = (changes: Partial<PinRequest> = {}): PinRequest => ({
  origin: 'https://shop.example',
  act: 'sign',
  reader: 'Reader 1',
  card: 'PIV card',
  triesLeft: 3,
  pin: { min: 4, max: 8, alphabet: 'digits' },
  language: undefined,
  timeoutMs: 60_000,
  signal: new AbortController().signal,
  ...changes,
})

/** An operation of a card that waits for its user until the signal ends it. */
const waitForUser = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason))
  })

const problemOf = (operation: Promise<unknown>) =>
  operation.then(
    () => undefined,
    (error: unknown) => (error instanceof Problem ? error.name : error),
  )

test.each<[string, Partial<PinRequest>, string]>([
  [
    'a signature',
    {},
    'https://shop.example is asking you to sign.\nEnter your PIN on the keypad of the card reader.\n\nCard: PIV card\nCard reader: Reader 1\n3 attempts left.',
  ],
  [
    'a check, in Dutch, on the last try',
    { act: 'check', language: 'nl-BE', triesLeft: 1 },
    'https://shop.example wil uw pincode controleren.\nToets uw pincode in op de kaartlezer.\nDe pincode wordt alleen gecontroleerd. Om te ondertekenen voert u de pincode opnieuw in.\n\nKaart: PIV card\nKaartlezer: Reader 1\nDit is uw laatste poging.',
  ],
  [
    'two signatures, in French, where the card tells no tries',
    { count: 2, language: 'fr', triesLeft: undefined },
    'https://shop.example vous demande de signer.\nSaisissez votre code PIN sur le clavier du lecteur de cartes. Le lecteur le demande 2 fois, une fois par signature.\n\nCarte\u202f: PIV card\nLecteur de cartes\u202f: Reader 1',
  ],
  [
    'an authentication, in German, for a program',
    { act: 'authenticate', language: 'de', origin: undefined },
    'Ein Programm auf diesem Computer bittet Sie, sich anzumelden. Dabei geben Sie Ihren Namen und Ihr Zertifikat weiter.\nGeben Sie Ihre PIN auf dem Tastenfeld des Kartenlesers ein.\n\nKarte: PIV card\nKartenleser: Reader 1\nNoch 3 Versuche.',
  ],
])('the notice says who asks for what, and where to type: %s', async (_, changes, text) => {
  proves('pin-pad-notice')
  const { notices, usePad, openNotices } = openDesk()
  expect(await usePad(request(changes), async () => 'signed')).toBe('signed')
  expect(notices.map(({ notice }) => notice)).toMatchObject([{ title: 'Cardwire', text }])
  expect(openNotices()).toBe(0)
})

test.each([
  ['cancelled', 'pin-cancelled'],
  ['unavailable', 'dialog-unavailable'],
] as const)('a notice that is %s ends the operation with %s', async (end, problem) => {
  proves('pad-pin-misused')
  const { notices, usePad } = openDesk()
  const found = problemOf(usePad(request(), waitForUser))
  await expect.poll(() => notices).toHaveLength(1)
  notices[0]?.end(end)
  expect(await found).toBe(problem)
})

test('a notice that the user closes leaves the operation alone', async () => {
  const { notices, usePad } = openDesk()
  const typed = Promise.withResolvers<string>()
  const result = usePad(request(), () => typed.promise)
  await expect.poll(() => notices).toHaveLength(1)
  notices[0]?.end('closed')
  typed.resolve('signed')
  expect(await result).toBe('signed')
})

test('a card, page or consent that has gone ends the operation and its notice, with the reason', async () => {
  const { notices, usePad, openNotices } = openDesk()
  const gone = new AbortController()
  const found = problemOf(usePad(request({ signal: gone.signal }), waitForUser))
  await expect.poll(() => notices).toHaveLength(1)
  gone.abort(new Problem('card-changed', 'Cannot continue: the card was removed or replaced'))
  expect(await found).toBe('card-changed')
  expect(openNotices()).toBe(0)
})

test('a request whose time is over ends the operation and its notice with pin-timeout', async () => {
  const timeout = vi.spyOn(AbortSignal, 'timeout')
  const over = new AbortController()
  timeout.mockReturnValueOnce(over.signal)
  const { notices, usePad, openNotices } = openDesk()
  const found = problemOf(usePad(request(), waitForUser))
  await expect.poll(() => notices).toHaveLength(1)
  over.abort()
  expect(await found).toBe('pin-timeout')
  expect(openNotices()).toBe(0)
  timeout.mockRestore()
})

test('no card waits for its user before the turn of its notice, and a page has one request', async () => {
  proves('pad-pin-misused')
  const { notices, usePad } = openDesk()
  const typed = Promise.withResolvers<string>()
  const operation = vi.fn(async () => 'second')
  const first = usePad(request(), () => typed.promise)
  const second = usePad(request({ origin: 'https://other.example' }), operation)
  expect(await problemOf(usePad(request(), waitForUser))).toBe('pin-busy')
  await expect.poll(() => notices).toHaveLength(1)
  expect(operation).not.toHaveBeenCalled()
  typed.resolve('first')
  expect([await first, await second]).toEqual(['first', 'second'])
})

test('a user who cancels at the pad or in the notice is not asked again at once', async () => {
  proves('pin-window-repeated')
  const { notices, usePad } = openDesk()
  const answer = problemOf(usePad(request(), waitForUser))
  await expect.poll(() => notices).toHaveLength(1)
  notices[0]?.end('cancelled')
  expect(await answer).toBe('pin-cancelled')
  const again = usePad(request(), async () => 'signed')
  await expect(again).rejects.toMatchObject({ name: 'pin-cancelled', extras: { retryAfterS: 30 } })
  expect(notices).toHaveLength(1)
})

test.each<[Decision, string | undefined]>([
  ['accepted', undefined],
  ['refused', 'pin-cancelled'],
])('the last attempt at the pad is confirmed before: %s', async (decision, problem) => {
  proves('pin-attempt-confirmed')
  const { usePad, questions } = openDesk(decision)
  let sent = 0
  const findConfirmation = () => ({ reason: 'last', triesLeft: 1 }) as const
  const act = async () => {
    sent += 1
  }
  expect(await problemOf(usePad(request({ findConfirmation }), act))).toBe(problem)
  expect([sent, questions.length]).toEqual([problem ? 0 : 1, 1])
})
