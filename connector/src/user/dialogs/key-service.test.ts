/** Questions for the use of a key: one at a time, each time, with a pause after a no. */
import { expect, test } from 'vitest'
import { proves } from '../../../../test/bed/proves.ts'
import type { Decision, Question } from '../../system/desktop/question.ts'
import { createDialogQueue } from './dialog-queue.ts'
import { createKeyService } from './key-service.ts'

const request = {
  origin: 'https://shop.example',
  act: 'sign',
  subject: 'CN=Zoë',
  issuer: 'CN=Authority',
  language: undefined,
  timeoutMs: 60_000,
  signal: new AbortController().signal,
} as const

/** A user who gives these answers, one after the other. */
function createUser(...answers: readonly Decision[]) {
  const questions: Question[] = []
  let now = 0
  const ask = createKeyService({
    askQuestion: async (question) => {
      questions.push(question)
      return answers[questions.length - 1] ?? 'unavailable'
    },
    queueDialog: createDialogQueue(),
    language: 'en',
    clock: () => now,
  })
  const pass = (ms: number) => {
    now += ms
  }
  return { ask, questions, pass }
}

test('a yes is for one use: the next one asks again', async () => {
  proves('windows-key-silent')
  const { ask, questions } = createUser('accepted', 'accepted')
  expect([await ask(request), await ask(request)]).toEqual(['accepted', 'accepted'])
  expect(questions).toHaveLength(2)
})

test('a no is pin-cancelled, and nobody is asked for the same page for 30 seconds', async () => {
  proves('windows-key-silent')
  const { ask, questions, pass } = createUser('refused', 'accepted')
  expect(await ask(request)).toMatchObject({ problem: 'pin-cancelled' })
  expect(await ask(request)).toMatchObject({ problem: 'pin-cancelled', retryAfterS: 30 })
  expect(questions).toHaveLength(1)
  pass(30_000)
  expect(await ask(request)).toBe('accepted')
})

test.each([
  ['late', 'pin-timeout'],
  ['unavailable', 'dialog-unavailable'],
] as const)('a window that is %s is %s', async (decision, problem) => {
  expect(await createUser(decision).ask(request)).toMatchObject({ problem })
})

test('a second question for the same page is pin-busy', async () => {
  proves('windows-key-silent')
  const { ask } = createUser('accepted')
  const [first, second] = await Promise.all([ask(request), ask(request)])
  expect(first).toBe('accepted')
  expect(second).toMatchObject({ problem: 'pin-busy' })
})

test('a page that has gone gets no yes', async () => {
  const { ask } = createUser('accepted')
  const gone = AbortSignal.abort()
  expect(await ask({ ...request, signal: gone })).toMatchObject({ problem: 'pin-timeout' })
})

test('a user who does not answer is not asked for the same page at once', async () => {
  proves('question-repeated')
  const { ask, questions } = createUser('late', 'accepted')
  await ask(request)
  expect(await ask(request)).toMatchObject({ problem: 'pin-cancelled', retryAfterS: 30 })
  expect(questions).toHaveLength(1)
})
