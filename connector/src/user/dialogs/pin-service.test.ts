/** Requests for a PIN: their turns, their ends, and what the dialog says. */
import { expect, test, vi } from 'vitest'
import { proves } from '../../../../test/bed/proves.ts'
import { waitForValue } from '../../../../test/bed/wait-for.ts'
import type { Desktop } from '../../system/desktop/desktop.ts'
import type { AskQuestion, Decision } from '../../system/desktop/question.ts'
import type { AskSecret, SecretAnswer, SecretQuestion } from '../../system/desktop/secret-entry.ts'
import { createDialogQueue, dialogTimeout } from './dialog-queue.ts'
import { openPinDialogs } from './open-pin-dialogs.ts'
import type { PinRequest } from './pin-request.ts'

const openPins = (desk: Pick<Desktop, 'askSecret'> & Partial<Desktop>, clock = () => 0) =>
  openPinDialogs(
    { showNotice: async () => 'unavailable', askQuestion: async () => 'unavailable', ...desk },
    { queueDialog: createDialogQueue(), language: 'en-GB', clock },
  )

/** A desktop whose windows a test answers; a window goes with its signal. */
function openDesk() {
  const windows: {
    readonly question: SecretQuestion
    readonly answer: (answer: SecretAnswer) => void
  }[] = []
  let onWindow = (): void => undefined
  const askSecret: AskSecret = (question, signal) =>
    new Promise((resolve) => {
      signal.addEventListener('abort', () => resolve({ kind: 'late' }))
      windows.push({ question, answer: resolve })
      onWindow()
    })
  const questions: string[] = []
  const decisions: Decision[] = []
  const askQuestion: AskQuestion = async ({ text }) => {
    questions.push(text)
    return decisions.shift() ?? 'unavailable'
  }
  let now = 0
  const { requestPin, pinPauses } = openPins({ askSecret, askQuestion }, () => now)
  const window = (at: number) =>
    waitForValue(
      () => windows[at],
      () => `window ${at} is not open`,
    )
  const pass = (ms: number) => {
    now += ms
  }
  /** The answer to a request that opens no window; the test fails at once when one opens. */
  const requestWithoutWindow = (changes?: Partial<PinRequest>) => {
    const opened = new Promise((resolve) => {
      onWindow = () => resolve('a window')
    })
    return Promise.race([requestPin(request(changes)), opened])
  }
  return {
    ...{ windows, window, requestPin, requestWithoutWindow, pinPauses },
    ...{ questions, decisions, pass },
  }
}

const entered = (text: string): SecretAnswer => ({ kind: 'entered', secret: Buffer.from(text) })

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

test('the PIN is the bytes that were entered', async () => {
  const { window, requestPin } = openDesk()
  const pin = requestPin(request())
  ;(await window(0)).answer(entered('1234'))
  expect(Buffer.from((await pin) as Uint8Array).toString()).toBe('1234')
})

test.each<[string, Partial<PinRequest>, string, string]>([
  [
    'a signature',
    {},
    'https://shop.example is asking you to sign.\n\nCard: PIV card\nCard reader: Reader 1\n3 attempts left.',
    'Sign',
  ],
  [
    'the last try, in Dutch',
    { triesLeft: 1, language: 'nl-BE' },
    'https://shop.example vraagt u om te ondertekenen.\n\nKaart: PIV card\nKaartlezer: Reader 1\nDit is uw laatste poging.',
    'Ondertekenen',
  ],
  [
    'a check, in French, where the card tells no tries',
    { act: 'check', triesLeft: undefined, language: 'fr' },
    'https://shop.example souhaite vérifier votre code PIN.\nSimple vérification. Vous devrez ressaisir votre code PIN pour signer.\n\nCarte\u202f: PIV card\nLecteur de cartes\u202f: Reader 1',
    'Vérifier',
  ],
  [
    'several signatures for a program, in German',
    { origin: undefined, count: 5, language: 'DE_de' },
    'Ein Programm auf diesem Computer bittet um Ihre Unterschrift.\nIhre PIN wird für 5 Unterschriften verwendet.\n\nKarte: PIV card\nKartenleser: Reader 1\nNoch 3 Versuche.',
    'Unterschreiben',
  ],
  [
    'an authentication, in a language that we lack',
    { act: 'authenticate', language: 'fi' },
    'https://shop.example is asking you to sign in. This shares your name and your certificate.\n\nCard: PIV card\nCard reader: Reader 1\n3 attempts left.',
    'Sign in',
  ],
])('the dialog says who asks for what: %s', async (_, changes, text, submit) => {
  proves('pin-dialog')
  const { window, requestPin } = openDesk()
  const pin = requestPin(request(changes))
  const { question, answer } = await window(0)
  expect(question).toMatchObject({ title: 'Cardwire', text, submit })
  answer({ kind: 'cancelled' })
  expect(await pin).toMatchObject({ problem: 'pin-cancelled' })
})

test.each([
  [
    'en',
    'Your PIN will be used for up to 100 signatures. Cardwire asks for it again if 60 seconds',
  ],
  [
    'nl',
    'U voert uw pincode één keer in voor maximaal 100 handtekeningen. Na 60 seconden zonder handtekening',
  ],
  [
    'fr',
    'Votre code PIN servira pour 100 signatures au plus. Cardwire le redemandera après 60 secondes',
  ],
  [
    'de',
    'Ihre PIN wird ohne erneute Abfrage für bis zu 100 Unterschriften verwendet. Nach 60 Sekunden',
  ],
])('the dialog says that a PIN is kept, in %s', async (language, text) => {
  proves('bulk-grant')
  const { window, requestPin } = openDesk()
  const kept = { signatures: 100, idleMs: 60_000 }
  const pin = requestPin(request({ language, kept }))
  const { question, answer } = await window(0)
  expect(question.text).toContain(text)
  answer({ kind: 'cancelled' })
  await pin
})

test('a PIN of another form is asked for again with what is wrong, three times at most, and never returned', async () => {
  proves('page-takes-pin')
  const { windows, window, requestPin } = openDesk()
  const pin = requestPin(request())
  const wrong = ['123', '12345678901', '12a4'].map((text) => Buffer.from(text))
  for (const [at, secret] of wrong.entries()) (await window(at)).answer({ kind: 'entered', secret })
  expect(await pin).toMatchObject({ problem: 'pin-invalid' })
  expect(windows.map(({ question }) => question.error)).toEqual([
    undefined,
    'This card’s PIN has 4 to 8 digits.',
    'This card’s PIN has 4 to 8 digits.',
  ])
  expect(wrong.every((secret) => secret.every((byte) => byte === 0))).toBe(true)
})

test('two pages have one dialog after the other', async () => {
  proves('pin-dialog', 'dialogs-confused')
  const { windows, window, requestPin } = openDesk()
  const first = requestPin(request())
  const second = requestPin(request({ origin: 'https://other.example' }))
  ;(await window(0)).answer(entered('1111'))
  await first
  const { question, answer } = await window(1)
  expect(question.text).toContain('https://other.example')
  answer(entered('2222'))
  expect(Buffer.from((await second) as Uint8Array).toString()).toBe('2222')
  expect(windows).toHaveLength(2)
})

test('a page has one request at a time, and another when that is over', async () => {
  proves('pin-dialog', 'dialogs-confused')
  const { window, requestPin, requestWithoutWindow } = openDesk()
  const first = requestPin(request())
  expect(await requestWithoutWindow()).toMatchObject({ problem: 'pin-busy' })
  ;(await window(0)).answer(entered('1111'))
  await first
  const again = requestPin(request())
  ;(await window(1)).answer(entered('1234'))
  expect(await again).toHaveLength(4)
})

test('a request that is withdrawn closes its dialog, and the next one has its turn', async () => {
  proves('dialogs-confused')
  const { window, requestPin } = openDesk()
  const gone = new AbortController()
  const first = requestPin(request({ signal: gone.signal }))
  const second = requestPin(request({ origin: 'https://other.example' }))
  await window(0)
  gone.abort()
  expect(await first).toMatchObject({ problem: 'pin-cancelled' })
  ;(await window(1)).answer(entered('2222'))
  expect(await second).toHaveLength(4)
})

test('a request that is withdrawn before its turn shows no dialog, and lets nobody pass before theirs', async () => {
  const { windows, window, requestPin } = openDesk()
  const gone = new AbortController()
  const first = requestPin(request())
  const second = requestPin(request({ origin: 'https://second.example', signal: gone.signal }))
  const third = requestPin(request({ origin: 'https://third.example' }))
  await window(0)
  gone.abort()
  expect(await second).toMatchObject({ problem: 'pin-cancelled' })
  expect(windows).toHaveLength(1)
  ;(await window(0)).answer(entered('1111'))
  await first
  expect((await window(1)).question.text).toContain('https://third.example')
  ;(await window(1)).answer({ kind: 'cancelled' })
  await third
})

test('a PIN that comes after the end is overwritten', async () => {
  proves('pin-in-connector')
  const secret = Buffer.from('1234')
  const gone = new AbortController()
  const askSecret: AskSecret = async () => {
    gone.abort()
    return { kind: 'entered', secret }
  }
  const { requestPin } = openPins({ askSecret })
  expect(await requestPin(request({ signal: gone.signal }))).toMatchObject({
    problem: 'pin-cancelled',
  })
  expect([...secret]).toEqual([0, 0, 0, 0])
})

test.each([
  ['nothing', 0, dialogTimeout.minMs],
  ['a minute', 60_000, 60_000],
  ['an hour', 3_600_000, dialogTimeout.maxMs],
])(
  'a page that asks for %s gets its timeout within the limits, waiting included',
  async (_, timeoutMs, expected) => {
    proves('dialogs-confused')
    const timeout = vi.spyOn(AbortSignal, 'timeout')
    const over = new AbortController()
    timeout.mockReturnValueOnce(over.signal)
    const { window, requestPin } = openDesk()
    const pin = requestPin(request({ timeoutMs }))
    await window(0)
    expect(timeout).toHaveBeenCalledWith(expected)
    over.abort()
    expect(await pin).toMatchObject({ problem: 'pin-timeout' })
    timeout.mockRestore()
  },
)

test('without a desktop the refusal says what to install', async () => {
  const { requestPin } = openPins({ askSecret: async () => ({ kind: 'unavailable' }) })
  expect(await requestPin(request())).toEqual({
    problem: 'dialog-unavailable',
    reason: expect.stringContaining('install a graphical pinentry'),
  })
})

test('after a no no window for a PIN opens for this page for half a minute, then for longer, but for other pages', async () => {
  proves('pin-window-repeated')
  const { windows, window, requestPin, requestWithoutWindow, pass } = openDesk()
  for (const [at, pauseS] of [30, 120, 480].entries()) {
    const pin = requestPin(request())
    ;(await window(at)).answer({ kind: 'cancelled' })
    expect(await pin).toMatchObject({ problem: 'pin-cancelled' })
    pass(pauseS * 1000 - 1)
    expect(await requestWithoutWindow()).toMatchObject({ problem: 'pin-cancelled', retryAfterS: 1 })
    expect(windows).toHaveLength(at + 1)
    pass(1)
  }
  const other = requestPin(request({ origin: 'https://other.example' }))
  ;(await window(3)).answer(entered('1234'))
  expect(await other).toHaveLength(4)
})

test.each<[string, (SecretAnswer | undefined)[]]>([
  ['does not answer in time', [{ kind: 'late' }]],
  ['enters three times what is no PIN', [entered('1'), entered('1'), entered('1')]],
])('a user who %s is not asked again at once', async (_, answers) => {
  proves('pin-window-repeated')
  const { window, requestPin, requestWithoutWindow } = openDesk()
  const pin = requestPin(request())
  for (const [at, answer] of answers.entries()) if (answer) (await window(at)).answer(answer)
  await pin
  expect(await requestWithoutWindow()).toMatchObject({ retryAfterS: 30 })
})

test('the third window in a row that the page itself closes counts as a no; a right PIN ends the count', async () => {
  proves('pin-window-repeated')
  const { window, requestPin, requestWithoutWindow, pinPauses } = openDesk()
  const withdraw = async (at: number) => {
    const gone = new AbortController()
    const pin = requestPin(request({ signal: gone.signal }))
    await window(at)
    gone.abort()
    await pin
  }
  for (const at of [0, 1]) await withdraw(at)
  pinPauses.forget('https://shop.example')
  for (const at of [2, 3, 4]) await withdraw(at)
  expect(await requestWithoutWindow()).toMatchObject({ retryAfterS: 30 })
})

test('a program of the user has no pauses', async () => {
  const { window, requestPin } = openDesk()
  for (const at of [0, 1]) {
    const pin = requestPin(request({ origin: undefined }))
    ;(await window(at)).answer({ kind: 'cancelled' })
    expect(await pin).toEqual(expect.not.objectContaining({ retryAfterS: 30 }))
  }
})

const confirming = (reason: 'last' | 'refused', triesLeft: number | undefined) => ({
  ...{ triesLeft: 3, findConfirmation: () => ({ reason, triesLeft }) },
})

test.each<[string, Partial<PinRequest>, string]>([
  [
    'the last attempt',
    confirming('last', 1),
    'https://shop.example is asking you to sign.\nThis is your last attempt. If the PIN is wrong, it will be blocked.\n\nCard: PIV card\nCard reader: Reader 1\n\nDo you want to continue?',
  ],
  [
    'an attempt after a wrong PIN, in Dutch',
    { ...confirming('refused', 2), language: 'nl' },
    'https://shop.example vraagt u om te ondertekenen.\nDe laatst ingevoerde pincode was onjuist.\n\nKaart: PIV card\nKaartlezer: Reader 1\nNog 2 pogingen.\n\nWilt u doorgaan?',
  ],
])('%s is confirmed before the window for the PIN opens', async (_, changes, text) => {
  proves('pin-attempt-confirmed')
  const { windows, window, requestPin, requestWithoutWindow, questions, decisions } = openDesk()
  decisions.push('accepted', 'refused')
  const pin = requestPin(request(changes))
  ;(await window(0)).answer(entered('1234'))
  expect(await pin).toHaveLength(4)
  expect(await requestWithoutWindow(changes)).toMatchObject({ problem: 'pin-cancelled' })
  expect([questions, windows.length]).toEqual([[text, text], 1])
  expect(await requestWithoutWindow(changes)).toMatchObject({ retryAfterS: 30 })
})

test('what is typed as the window opens is not used; the user confirms, and then enters the PIN', async () => {
  proves('pin-typed-ahead')
  const { window, requestPin, questions, decisions } = openDesk()
  decisions.push('accepted')
  const pin = requestPin(request())
  ;(await window(0)).answer({ kind: 'early' })
  ;(await window(1)).answer(entered('1234'))
  expect(Buffer.from((await pin) as Uint8Array).toString()).toBe('1234')
  expect(questions).toEqual([
    expect.stringContaining('before the PIN window was ready, so your entry wasn’t used.'),
  ])
})

test('a user who types on refuses by that, and is not asked again at once', async () => {
  proves('pin-typed-ahead')
  const { windows, window, requestPin, requestWithoutWindow, decisions } = openDesk()
  decisions.push('refused')
  const pin = requestPin(request())
  ;(await window(0)).answer({ kind: 'early' })
  expect(await pin).toMatchObject({ problem: 'pin-cancelled' })
  expect(await requestWithoutWindow()).toMatchObject({ retryAfterS: 30 })
  expect(windows).toHaveLength(1)
})
