/** The months of which devices are kept. */
import { expect, test } from 'vitest'
import { toFirstOpenMonth, toMonth } from './months.ts'

test.each([
  ['the last millisecond of a year', '2026-12-31T23:59:59.999Z', '2026-12', '2026-11'],
  ['the first of the next', '2027-01-01T00:00:00.000Z', '2027-01', '2026-12'],
  ['a day that the month before does not have', '2026-03-31T12:00:00.000Z', '2026-03', '2026-02'],
])('%s', (_, time, month, first) => {
  expect([toMonth(Date.parse(time)), toFirstOpenMonth(Date.parse(time))]).toEqual([month, first])
})
