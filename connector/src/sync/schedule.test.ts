import { expect, test } from 'vitest'
import { createSchedule } from './schedule.ts'

const always = (value: number) => () => value
const minute = 60_000

test.each([
  [0, 0],
  [0.5, 30_000],
  [0.999, 59_940],
])('the first is within a minute: chance %d, %d ms', (chance, ms) => {
  expect(createSchedule(always(chance)).first(true)).toBe(ms)
})

test.each([
  [0, 0],
  [0.999, 4995],
])('the first is within 5 s where there is nothing to live by: chance %d, %d ms', (chance, ms) => {
  expect(createSchedule(always(chance)).first(false)).toBe(ms)
})

test.each([
  [0, 0.9],
  [0.5, 1],
  [0.999, 1.0998],
])('after a good one a cycle goes by: chance %d, %d of it', (chance, share) => {
  expect(createSchedule(always(chance)).afterGood(28_800)).toBeCloseTo(28_800_000 * share, -1)
})

test('after bad ones it doubles up to an hour, half of it by chance', () => {
  const least = createSchedule(always(0))
  const most = createSchedule(always(1 - 1e-12))
  const times = Array.from({ length: 9 }, () => [least.afterBad(), most.afterBad()])
  expect(times).toEqual([
    [15_000, 30_000],
    [30_000, minute],
    [minute, 2 * minute],
    [2 * minute, 4 * minute],
    [4 * minute, 8 * minute],
    [8 * minute, 16 * minute],
    [16 * minute, 32 * minute],
    [30 * minute, 60 * minute],
    [30 * minute, 60 * minute],
  ])
})

test('a good one lets the next failures begin anew', () => {
  const schedule = createSchedule(always(0))
  for (let n = 0; n < 5; n += 1) schedule.afterBad()
  schedule.afterGood(60)
  expect(schedule.afterBad()).toBe(15_000)
})

test.each([
  [0, 120_000],
  [0.5, 132_000],
])('never earlier than the service said: chance %d, %d ms', (chance, ms) => {
  expect(createSchedule(always(chance)).afterBad(120)).toBe(ms)
})

test.each([
  ['a year', 31_536_000, 86_400_000],
  ['no time', 0, 15_000],
  ['a time that was', -5, 15_000],
])('a service that says %s is not taken at its word', (_, retryAfterS, ms) => {
  expect(createSchedule(always(0)).afterBad(retryAfterS)).toBe(ms)
})

test('a cycle of nothing is a second, and one of a century a month', () => {
  const schedule = createSchedule(always(0.5))
  expect([schedule.afterGood(0), schedule.afterGood(3_153_600_000)]).toEqual([1000, 2_592_000_000])
})
