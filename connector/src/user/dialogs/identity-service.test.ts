/** Questions for identity data: who shares an answer, their turns, their ends, and the pauses after a refusal. */
import { expect, test } from 'vitest'
import { proves } from '../../../../test/bed/proves.ts'
import { waitForValue } from '../../../../test/bed/wait-for.ts'
import type { AskQuestion, Decision, Question } from '../../system/desktop/question.ts'
import { createDialogQueue } from './dialog-queue.ts'
import type { IdentityRequest } from './identity-request.ts'
import { createIdentityService } from './identity-service.ts'
import { openPinDialogs } from './open-pin-dialogs.ts'

/** A desktop whose windows a test answers; a window goes with its signal. */
function openDesk() {
  const windows: {
    readonly question: Question
    readonly signal: AbortSignal
    readonly answer: (decision: Decision) => void
  }[] = []
  const askQuestion: AskQuestion = (question, signal) =>
    new Promise((resolve) => {
      signal.addEventListener('abort', () => resolve('late'))
      windows.push({ question, signal, answer: resolve })
    })
  let now = 0
  const queueDialog = createDialogQueue()
  const askForIdentity = createIdentityService({
    askQuestion,
    queueDialog,
    language: 'en',
    clock: () => now,
  })
  const window = (at: number) =>
    waitForValue(
      () => windows[at],
      () => `window ${at} is not open`,
    )
  const pass = (ms: number) => {
    now += ms
  }
  return { windows, window, askForIdentity, queueDialog, pass }
}

const request = (changes: Partial<IdentityRequest> = {}): IdentityRequest => ({
  origin: 'https://shop.example',
  module: 'beid',
  data: ['biometric', 'address', 'picture'],
  card: 'Belgian identity card',
  reader: 'Reader 1',
  signal: new AbortController().signal,
  ...changes,
})

const refused = { problem: 'identity-refused' }

test.each<[Decision, object]>([
  ['refused', refused],
  ['late', refused],
  ['unavailable', { problem: 'dialog-unavailable' }],
])('a question that ends as %s lets nothing be read', async (decision, expected) => {
  const { window, askForIdentity } = openDesk()
  const answer = askForIdentity(request())
  ;(await window(0)).answer(decision)
  expect(await answer).toMatchObject(expected)
})

test('calls of a page for the same cards share one question; each goes by its own signal', async () => {
  proves('question-repeated')
  const { windows, window, askForIdentity } = openDesk()
  const gone = new AbortController()
  const first = askForIdentity(request({ signal: gone.signal }))
  const others = [request(), request()].map(askForIdentity)
  const { answer } = await window(0)
  gone.abort()
  expect(await first).toMatchObject(refused)
  answer('accepted')
  expect(await Promise.all(others)).toEqual(['accepted', 'accepted'])
  expect(windows).toHaveLength(1)
})

test('more calls than a page needs are refused', async () => {
  const { window, askForIdentity } = openDesk()
  const calls = Array.from({ length: 9 }, () => askForIdentity(request()))
  expect(await calls[8]).toMatchObject({ problem: 'pin-busy' })
  ;(await window(0)).answer('accepted')
  expect(await calls[0]).toBe('accepted')
})

test('a window closes when the last call that waits for it has gone, and the next question has its turn', async () => {
  const { window, askForIdentity } = openDesk()
  const gone = new AbortController()
  const calls = [1, 2].map(() => askForIdentity(request({ signal: gone.signal })))
  const next = askForIdentity(request({ origin: 'https://other.example' }))
  const { signal } = await window(0)
  gone.abort()
  expect(await Promise.all(calls)).toMatchObject([refused, refused])
  expect(signal.aborted).toBe(true)
  ;(await window(1)).answer('accepted')
  expect(await next).toBe('accepted')
})

test('two origins are asked about one after the other', async () => {
  const { windows, window, askForIdentity } = openDesk()
  const first = askForIdentity(request())
  const second = askForIdentity(request({ origin: 'https://other.example' }))
  const shown = await window(0)
  expect(windows).toHaveLength(1)
  shown.answer('refused')
  expect(await first).toMatchObject(refused)
  const { question, answer } = await window(1)
  expect(question.text).toContain('https://other.example')
  answer('accepted')
  expect(await second).toBe('accepted')
})

test('a question waits for the dialog of a PIN, and a page that waits for a PIN is not asked about', async () => {
  proves('identity-dialog')
  const { windows, window, askForIdentity, queueDialog } = openDesk()
  const entry = Promise.withResolvers<{ readonly kind: 'cancelled' }>()
  const { requestPin } = openPinDialogs(
    {
      askSecret: () => entry.promise,
      showNotice: async () => 'unavailable',
      askQuestion: async () => 'unavailable',
    },
    { queueDialog, language: 'en', clock: () => 0 },
  )
  const pin = requestPin({
    origin: 'https://shop.example',
    act: 'sign',
    reader: 'Reader 1',
    card: 'PIV card',
    triesLeft: 3,
    pin: { min: 4, max: 8, alphabet: 'digits' },
    language: undefined,
    timeoutMs: 60_000,
    signal: new AbortController().signal,
  })
  expect(await askForIdentity(request())).toMatchObject({ problem: 'pin-busy' })
  const other = askForIdentity(request({ origin: 'https://other.example' }))
  expect(windows).toHaveLength(0)
  entry.resolve({ kind: 'cancelled' })
  await pin
  ;(await window(0)).answer('accepted')
  expect(await other).toBe('accepted')
})

test('programs share no answer with each other', async () => {
  proves('answer-reused')
  const { window, askForIdentity } = openDesk()
  const first = askForIdentity(request({ origin: undefined }))
  expect(await askForIdentity(request({ origin: undefined }))).toMatchObject({
    problem: 'pin-busy',
  })
  ;(await window(0)).answer('accepted')
  expect(await first).toBe('accepted')
})

test('after a no nobody is asked for half a minute, and four times as long after each that follows', async () => {
  proves('identity-refused', 'question-repeated')
  const { windows, window, askForIdentity, pass } = openDesk()
  for (const [at, pauseS] of [30, 120, 480, 1920, 3600, 3600].entries()) {
    const answer = askForIdentity(request())
    ;(await window(at)).answer('refused')
    expect(await answer).toMatchObject(refused)
    pass(pauseS * 1000 - 1)
    expect(await askForIdentity(request())).toMatchObject({ ...refused, retryAfterS: 1 })
    expect(windows).toHaveLength(at + 1)
    pass(1)
  }
})

test('a no about one kind of card or one origin is none about another, and a yes ends the pauses', async () => {
  const { window, askForIdentity, pass } = openDesk()
  const no = askForIdentity(request())
  ;(await window(0)).answer('refused')
  await no
  const elsewhere = [request({ module: 'luxeid' }), request({ origin: 'https://other.example' })]
  for (const [at, other] of elsewhere.entries()) {
    const answer = askForIdentity(other)
    ;(await window(at + 1)).answer('accepted')
    expect(await answer).toBe('accepted')
  }
  pass(30_000)
  for (const [at, decision] of (['accepted', 'refused'] as const).entries()) {
    const answer = askForIdentity(request())
    ;(await window(at + 3)).answer(decision)
    await answer
  }
  expect(await askForIdentity(request())).toMatchObject({ retryAfterS: 30 })
})

test('a call that was withdrawn is no refusal of the user; the third in a row is', async () => {
  proves('question-repeated')
  const { windows, window, askForIdentity } = openDesk()
  const withdraw = async (at: number) => {
    const gone = new AbortController()
    const answer = askForIdentity(request({ signal: gone.signal }))
    await window(at)
    gone.abort()
    await answer
  }
  for (const at of [0, 1]) await withdraw(at)
  const again = askForIdentity(request())
  ;(await window(2)).answer('accepted')
  expect(await again).toBe('accepted')
  for (const at of [3, 4, 5]) await withdraw(at)
  expect(await askForIdentity(request())).toMatchObject({ ...refused, retryAfterS: 30 })
  expect(windows).toHaveLength(6)
})

test('a call that is withdrawn before its turn does not count', async () => {
  const { windows, window, askForIdentity } = openDesk()
  const other = askForIdentity(request({ origin: 'https://other.example' }))
  await window(0)
  for (const _ of [1, 2, 3]) {
    const gone = new AbortController()
    const answer = askForIdentity(request({ signal: gone.signal }))
    gone.abort()
    await answer
  }
  windows[0]?.answer('refused')
  await other
  const again = askForIdentity(request())
  ;(await window(1)).answer('accepted')
  expect(await again).toBe('accepted')
})
