import { expect, test } from 'vitest'
import { createSchedule } from './schedule.ts'

const always = (value: number) => () => value
const minute = 60_000

test.each([
  [0, 0],
  [0.5, 30_000],
  [0.999, 59_940],
])('the first is within a minute: chance %d, %d ms', (chance, ms) => {
  expect(createSchedule(always(chance)).first()).toBe(ms)
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
