/** Devices with news synchronize one after the other, also those that come back one by one. */
import { expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { createWakePace } from './wake-pace.ts'

const names = (count: number, name = 'device') =>
  Array.from({ length: count }, (_, index) => `${name} ${index}`)

test('devices that come back one by one are slow at first, and never faster than the rate', () => {
  proves('wake-herd')
  let now = 1000
  const pace = createWakePace(() => now, 1)
  const delays = names(12).map((id) => pace(id))
  expect(delays).toEqual([0, 5, 10, 15, 20, 25, 30, 35, 40, 45, 46, 47])
  now += 44_000
  expect(pace('late')).toBe(4)
  now += 3_600_000
  expect([pace('later'), pace('latest')]).toEqual([0, 5])
})

test('those that are woken together follow those that came before', () => {
  proves('wake-herd')
  const pace = createWakePace(() => 0, 1)
  expect([pace('one'), pace('two')]).toEqual([0, 5])
  expect(names(4, 'woken').map((id) => pace(id, 4))).toEqual([10, 15, 20, 25])
})

test('a device that asks again keeps its turn, and takes no other', () => {
  proves('wake-herd')
  let now = 0
  const pace = createWakePace(() => now, 1)
  expect([pace('one'), pace('two')]).toEqual([0, 5])
  now += 2000
  expect([pace('two'), pace('two'), pace('two')]).toEqual([3, 3, 3])
  expect(pace('three')).toBe(8)
})
