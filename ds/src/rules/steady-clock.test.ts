/** When the clock can be believed, and when it has jumped. */
import { expect, test } from 'vitest'
import { readClock, toRemovalDay } from './steady-clock.ts'

const before = { day: 1000, steadySince: 900 }

test.each([
  ['the same day', 1000, 900],
  ['the next day', 1001, 900],
  ['the end of a long weekend', 1004, 900],
  ['a reading after a week', 1007, 1007],
  ['a reading 402 days ahead', 1402, 1402],
  ['a step back', 999, 999],
])('readClock with %s', (_, today, steadySince) => {
  expect(readClock(before, today)).toEqual({ day: today, steadySince })
})

test.each([
  ['a day after a minute, at midnight', 1001, 0.001, 900],
  ['two days after a minute', 1002, 0.001, 1002],
  ['a long weekend', 1004, 3.9, 900],
  ['four days after two', 1004, 2, 1004],
])('readClock with %s by the clock that nobody sets', (_, today, elapsed, steadySince) => {
  expect(readClock(before, today, elapsed)).toEqual({ day: today, steadySince })
})

test('readClock takes the first reading of all as a jump', () => {
  expect(readClock(undefined, 1000)).toEqual({ day: 1000, steadySince: 1000 })
})

test('toRemovalDay is a fortnight after the jump', () => {
  expect(toRemovalDay(before)).toBe(914)
})
