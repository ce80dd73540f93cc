/** The rate limit for each name. */
import { expect, test } from 'vitest'
import { createRateLimiter } from './rate-limiter.ts'

const allowOne = (clock: () => number) => {
  const limit = createRateLimiter(1, clock)
  return (name: string) => limit(name) === 0
}

test('rate limiter allows so many calls within any minute, and one more for each that is a minute old', () => {
  let now = 0
  const limit = createRateLimiter(2, () => now)
  const waitsMs = [0, 30_000, 59_999, 60_000, 60_001, 90_000].map((at) => {
    now = at
    return limit('one')
  })
  expect(waitsMs).toEqual([0, 0, 1, 0, 29_999, 0])
})

test('rate limiter counts each name alone', () => {
  const isAllowed = allowOne(() => 0)
  expect([isAllowed('one'), isAllowed('two'), isAllowed('one')]).toEqual([true, true, false])
})

test('rate limiter blocks no name for longer than a minute when the clock is set back', () => {
  let now = 10_000_000
  const isAllowed = allowOne(() => now)
  expect([isAllowed('one'), isAllowed('one')]).toEqual([true, false])
  now = 0
  expect(isAllowed('one')).toBe(true)
})

test('rate limiter forgets the least recently used of 1001 names', () => {
  const isAllowed = allowOne(() => 0)
  for (let n = 0; n < 1000; n += 1) isAllowed(`name ${n}`)
  expect(isAllowed('name 0')).toBe(false)
  isAllowed('one more')
  expect([isAllowed('name 0'), isAllowed('name 1')]).toEqual([false, true])
})
