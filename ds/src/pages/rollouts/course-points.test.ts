/** The points of the charts of a rollout. */
import type { RolloutHour } from '@cardwire/protocol'
import { expect, test } from 'vitest'
import { toCourse } from './course-points.ts'

const at = (time: string, offered: number): RolloutHour => ({
  ...{ at: `${time}:00:00.000Z`, offered, installed: 0, successes: 0, failures: 0, silent: 0 },
  ratio: 0,
})

/** The points in short: when, and how many devices. */
const list = (...hours: RolloutHour[]) => {
  const course = toCourse(hours)
  return course && [course.by, ...course.points.map(({ at, offered }) => [at, offered])]
}

test.each([
  ['no hours', []],
  ['hours without a device', [at('2026-01-01T10', 0), at('2026-01-01T12', 0)]],
])('%s are no course', (_, hours) => {
  expect(list(...hours)).toBe(undefined)
})

test('a single hour is a point', () => {
  expect(list(at('2026-01-01T10', 3))).toEqual(['hour', ['2026-01-01T10:00:00.000Z', 3]])
})

test('an hour in which nothing was counted has what was known before', () => {
  expect(list(at('2026-01-01T22', 0), at('2026-01-02T01', 4))).toEqual([
    ...['hour', ['2026-01-01T22:00:00.000Z', 0], ['2026-01-01T23:00:00.000Z', 0]],
    ...[
      ['2026-01-02T00:00:00.000Z', 0],
      ['2026-01-02T01:00:00.000Z', 4],
    ],
  ])
})

test('48 hours are shown by hour, more by day', () => {
  const hourly = toCourse([at('2026-01-01T10', 1), at('2026-01-03T10', 2)])
  expect([hourly?.by, hourly?.points.length]).toEqual(['hour', 49])
  expect(list(at('2026-01-01T10', 1), at('2026-01-01T12', 2), at('2026-01-03T11', 5))).toEqual([
    ...['day', ['2026-01-01', 2], ['2026-01-02', 2], ['2026-01-03', 5]],
  ])
})

test('of very many days the latest are shown', () => {
  const course = toCourse([at('2024-01-01T10', 1), at('2025-06-01T10', 2), at('2026-01-03T11', 5)])
  expect(course?.points[0]).toMatchObject({ at: '2025-06-01', offered: 2 })
  expect(course?.points).toHaveLength(217)
})
