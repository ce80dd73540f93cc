/** Which repeated events are listed, and how the others are reported. */
import { expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { createManualClock } from '../../test/registry/manual-clock.ts'
import { countLimits, createEventCounter } from './event-counter.ts'

const hourMs = countLimits.windowMs

function start() {
  const clock = createManualClock()
  const reports: unknown[] = []
  const counter = createEventCounter(clock, (event, fields) => reports.push([event, fields]))
  const countMany = (times: number, user?: string) =>
    Array.from({ length: times }, () => counter.count('origin refused', { user })).filter(Boolean)
      .length
  return { clock, reports, countMany }
}

test('the first twenty of an hour are listed, the others reported as a number at its end', async () => {
  proves('log-rotated-away')
  const { clock, reports, countMany } = start()
  expect(countMany(43_000)).toBe(20)
  await clock.pass(hourMs - 1)
  expect(reports).toEqual([])
  await clock.pass(1)
  expect(reports).toEqual([
    ['repeated within an hour', { repeated: 'origin refused', count: 42_980 }],
  ])
  expect(countMany(1)).toBe(1)
})

test('those of one account do not keep those of another out of the log', async () => {
  proves('log-rotated-away')
  const { clock, reports, countMany } = start()
  expect([countMany(100, '1002'), countMany(3, '1000')]).toEqual([20, 3])
  await clock.pass(hourMs)
  expect(reports).toEqual([
    ['repeated within an hour', { repeated: 'origin refused', count: 80, user: '1002' }],
  ])
})

test('very many accounts are counted as one', async () => {
  const { clock, reports, countMany } = start()
  const listed = Array.from({ length: 5000 }, (_, user) => countMany(1, String(user)))
  expect(listed.filter(Boolean)).toHaveLength(1020)
  await clock.pass(hourMs)
  expect(reports).toEqual([
    ['repeated within an hour', { repeated: 'origin refused', count: 3980 }],
  ])
})
