/** How often something may be done by name. */
import { expect, test } from 'vitest'
import { pace } from './pace.ts'

test('so many within any minute, and one more for each that is a minute old', () => {
  let now = 0
  const may = pace(2, () => now)
  const asked = [0, 30_000, 59_999, 60_000, 60_001, 90_000].map((at) => {
    now = at
    return may('one')
  })
  expect(asked).toEqual([true, true, false, true, false, true])
})

test('names do not count for each other', () => {
  const may = pace(1, () => 0)
  expect([may('one'), may('two'), may('one')]).toEqual([true, true, false])
})

test('a clock that is set back holds nobody for longer than a minute', () => {
  let now = 10_000_000
  const may = pace(1, () => now)
  expect([may('one'), may('one')]).toEqual([true, false])
  now = 0
  expect(may('one')).toBe(true)
})

test('of 1001 names the one that was quiet longest is forgotten', () => {
  const may = pace(1, () => 0)
  for (let n = 0; n < 1000; n += 1) may(`name ${n}`)
  expect(may('name 0')).toBe(false)
  may('one more')
  expect([may('name 0'), may('name 1')]).toEqual([false, true])
})
