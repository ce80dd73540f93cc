/** Which requests make a value, and which wait. */
import { expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { createSingleFlight } from './single-flight.ts'

const pause = () => new Promise((resolve) => setImmediate(resolve))

/** Requests on a clock that the test sets. A request that waits looks again when the test says so. */
function start() {
  const values = new Map<string, string>()
  const sleeping: (() => void)[] = []
  const begun: string[] = []
  const state = { now: 0 }
  const fly = createSingleFlight(
    () => state.now,
    () => new Promise((wake) => sleeping.push(wake)),
  )
  return {
    state,
    begun,
    ask(key: string, made: Promise<string>) {
      const find = () => {
        const value = values.get(key)
        return value === undefined ? undefined : { value }
      }
      return fly(key, find, async () => {
        begun.push(key)
        const value = await made
        values.set(key, value)
        return value
      })
    },
    async wake() {
      await pause()
      for (const wake of sleeping.splice(0)) wake()
      await pause()
    },
  }
}

const never = new Promise<string>(() => undefined)

test('one request makes a value, and the others get it', async () => {
  proves('one-reading')
  const { ask, begun, wake } = start()
  const made = Promise.withResolvers<string>()
  const results = Promise.all(Array.from({ length: 100 }, () => ask('key', made.promise)))
  const other = ask('other', Promise.resolve('another value'))
  await wake()
  made.resolve('value')
  await wake()
  expect(await results).toEqual(Array(100).fill('value'))
  expect(await other).toBe('another value')
  expect(begun).toEqual(['key', 'other'])
})

test('those that waited fail with the request that failed, and the next one begins again', async () => {
  proves('one-reading')
  const { ask, begun, wake } = start()
  const made = Promise.withResolvers<string>()
  const results = Promise.allSettled(Array.from({ length: 100 }, () => ask('key', made.promise)))
  made.reject(new Error('Cannot read'))
  await wake()
  const reasons = (await results).map((each) => each.status === 'rejected' && each.reason.message)
  expect(reasons).toEqual(Array(100).fill('Cannot read'))
  expect(begun).toEqual(['key'])
  expect(await ask('key', Promise.resolve('value'))).toBe('value')
})

test('after five seconds without a sign, one of those that wait makes the value', async () => {
  proves('one-reading')
  const { state, ask, begun, wake } = start()
  // Its request has ended without a word.
  void ask('key', never)
  const made = Promise.withResolvers<string>()
  const results = Promise.all([ask('key', made.promise), ask('key', made.promise)])
  state.now = 4999
  await wake()
  expect(begun).toEqual(['key'])
  state.now = 5000
  await wake()
  expect(begun).toEqual(['key', 'key'])
  made.resolve('value')
  await wake()
  expect(await results).toEqual(['value', 'value'])
})
