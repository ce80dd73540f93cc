/** Which hours of a rollout are kept. */
import { expect, test } from 'vitest'
import { findOldHours, fromHour, maxHours, toHour } from './rollout-hours.ts'

test('an hour is a whole number', () => {
  expect(toHour(Date.parse('2026-01-02T03:59:59.999Z'))).toBe(490_923)
  expect(new Date(fromHour(490_923)).toISOString()).toBe('2026-01-02T03:00:00.000Z')
})

// The first hour of a day is a multiple of 24.
test.each([
  ['none', [], []],
  ['the only one', [240], []],
  ['all of the latest 48', [240, 241, 287], []],
  ['the last of a day before', [240, 241, 263, 264, 311], [241, 240]],
  ['the last of a day that has newer ones among the latest', [240, 260, 261, 309], [260, 240]],
  ['one of a day with a single one', [0, 24, 47, 400], [24]],
  ['in any order', [311, 240, 264, 241, 263], [241, 240]],
])('kept is %s', (_, hours, old) => {
  expect(findOldHours(hours)).toEqual(old)
})

test('of very many days the latest are kept', () => {
  const days = Array.from({ length: 1000 }, (_, day) => day * 24)
  const old = findOldHours(days)
  expect(old).toHaveLength(550)
  expect(days.length - old.length).toBe(maxHours)
  expect(old[0]).toBe(549 * 24)
})
