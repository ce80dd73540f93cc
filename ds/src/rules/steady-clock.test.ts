/** When the clock can be believed, and when it has jumped. */
import { expect, test } from 'vitest'
import { readClock, toReadingDay, toRemovalDay } from './steady-clock.ts'

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

const midnight = 1000 * 86_400_000
test.each([
  ['a clock that is 30 s behind one that is past midnight', midnight - 30_000, 1000],
  ['a clock that is 31 s behind', midnight - 31_000, 999],
  ['a clock that is past midnight, too', midnight, 1000],
  ['a clock of the next day', midnight + 86_400_000, 1001],
])('toReadingDay of %s', (_, now, day) => {
  expect(toReadingDay(before, now)).toBe(day)
})

test('toReadingDay before midnight is the day that was recorded', () => {
  expect(toReadingDay({ day: 999, steadySince: 900 }, midnight - 1)).toBe(999)
})

test('toRemovalDay is a fortnight after the jump', () => {
  expect(toRemovalDay(before)).toBe(914)
})
