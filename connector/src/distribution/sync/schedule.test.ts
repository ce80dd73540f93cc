/** The times of synchronizations: the first, after a success and after failures. */
import { expect, test } from 'vitest'
import { createSchedule } from './schedule.ts'

const always = (value: number) => () => value
const minute = 60_000

test.each([
  [0, 0],
  [0.5, 30_000],
  [0.999, 59_940],
])('first is within a minute: chance %d, %d ms', (chance, ms) => {
  expect(createSchedule(always(chance)).first(true)).toBe(ms)
})

test.each([
  [0, 0],
  [0.999, 4995],
])('first is within 5 s without a policy: chance %d, %d ms', (chance, ms) => {
  expect(createSchedule(always(chance)).first(false)).toBe(ms)
})

test.each([
  [0, 0.9],
  [0.5, 1],
  [0.999, 1.0998],
])('afterSuccess is a cycle: chance %d, %d of it', (chance, share) => {
  expect(createSchedule(always(chance)).afterSuccess(28_800)).toBeCloseTo(28_800_000 * share, -1)
})

test('afterFailure doubles up to an hour, half of it at random', () => {
  const least = createSchedule(always(0))
  const most = createSchedule(always(1 - 1e-12))
  const times = Array.from({ length: 9 }, () => [least.afterFailure(), most.afterFailure()])
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

test('afterSuccess resets the time after failures', () => {
  const schedule = createSchedule(always(0))
  for (let n = 0; n < 5; n += 1) schedule.afterFailure()
  schedule.afterSuccess(60)
  expect(schedule.afterFailure()).toBe(15_000)
})

test.each([
  [0, 120_000],
  [0.5, 132_000],
])('afterFailure is never before the Retry-After: chance %d, %d ms', (chance, ms) => {
  expect(createSchedule(always(chance)).afterFailure(120)).toBe(ms)
})

test.each([
  ['a year', 31_536_000, 86_400_000],
  ['no time', 0, 15_000],
  ['a time that was', -5, 15_000],
])('afterFailure limits a Retry-After of %s', (_, retryAfterS, ms) => {
  expect(createSchedule(always(0)).afterFailure(retryAfterS)).toBe(ms)
})

test('afterSuccess limits a cycle to between a second and a month', () => {
  const schedule = createSchedule(always(0.5))
  expect([schedule.afterSuccess(0), schedule.afterSuccess(3_153_600_000)]).toEqual([
    1000, 2_592_000_000,
  ])
})
