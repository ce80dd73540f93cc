/** Answers that come before the user can have read the window. */
import { expect, test } from 'vitest'
import { proves } from '../../../../test/bed/proves.ts'
import { isEarly, minReadingMs, rejectEarlyDecision, rejectEarlySecret } from './early-answers.ts'
import type { Decision } from './question.ts'
import { createWindowsSecretEntry } from './windows.ts'

test('a window takes no answer for two seconds after its program was started', () => {
  proves('pin-typed-ahead')
  expect(minReadingMs).toBe(2000)
  expect([isEarly(500, 2499), isEarly(500, 2500)]).toEqual([true, false])
})

/** A window that is answered after these milliseconds; each look at the clock is at one of its two ends. */
function openClock(...answeredMs: readonly number[]) {
  const looks = answeredMs.flatMap((ms, at) => [at * 60_000, at * 60_000 + ms])
  return () => looks.shift() ?? Number.NaN
}

test.each([
  [1999, { kind: 'early' }, [0, 0, 0, 0]],
  [2000, { kind: 'entered', secret: Buffer.from('1234') }, [49, 50, 51, 52]],
])('a secret that is entered after %i ms', async (ms, expected, bytes) => {
  proves('pin-typed-ahead')
  const secret = Buffer.from('1234')
  const show = async () => ({ kind: 'entered', secret }) as const
  expect(await rejectEarlySecret(openClock(ms), show)).toEqual(expected)
  expect([...secret]).toEqual(bytes)
})

test('a user who cancels early has cancelled', async () => {
  const show = async () => ({ kind: 'cancelled' }) as const
  expect(await rejectEarlySecret(openClock(10), show)).toEqual({ kind: 'cancelled' })
})

test.each<[string, readonly [number, Decision][], Decision, number]>([
  ['is accepted in time', [[2000, 'accepted']], 'accepted', 1],
  ['is refused early', [[10, 'refused']], 'refused', 1],
  [
    'is accepted too early, then in time',
    [
      [10, 'accepted'],
      [2000, 'accepted'],
    ],
    'accepted',
    2,
  ],
  [
    'is accepted too early three times',
    [
      [10, 'accepted'],
      [20, 'accepted'],
      [1999, 'accepted'],
    ],
    'refused',
    3,
  ],
])('a question that %s', async (_, answers, expected, shown) => {
  proves('question-repeated')
  let at = 0
  const show = async () => answers[at++]?.[1] ?? 'unavailable'
  const clock = openClock(...answers.map(([ms]) => ms))
  expect([await rejectEarlyDecision(clock, show), at]).toEqual([expected, shown])
})

test('on Windows the helper says that an entry was early', async () => {
  proves('pin-typed-ahead')
  const ask = createWindowsSecretEntry(async () => ({ kind: 'early' }))
  const question = { title: '', text: '', prompt: '', submit: '', cancel: '' }
  expect(await ask(question, new AbortController().signal)).toEqual({ kind: 'early' })
})
