/** The wait of a login, failure by failure. */
import { expect, test } from 'vitest'
import { forgetAfterS, getLoginDelayS } from './login-delay.ts'

test.each([
  { failures: 0, seconds: 0 },
  { failures: 1, seconds: 0 },
  { failures: 2, seconds: 0 },
  { failures: 3, seconds: 1 },
  { failures: 4, seconds: 2 },
  { failures: 5, seconds: 4 },
  { failures: 12, seconds: 512 },
  { failures: 13, seconds: 900 },
  { failures: 14, seconds: 900 },
  { failures: 1_000_000, seconds: 900 },
])('getLoginDelayS is $seconds seconds after $failures failures', ({ failures, seconds }) => {
  expect(getLoginDelayS(failures)).toBe(seconds)
})

test('failures are remembered longer than the longest delay', () => {
  expect(forgetAfterS).toBeGreaterThan(getLoginDelayS(Number.MAX_SAFE_INTEGER))
})
