/** Assertions of waits are remembered until they expire, however many devices wait. */
import { expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { createReplayGuard } from './replay-guard.ts'

test('an assertion is remembered until it has expired, whoever else comes', () => {
  proves('wait-of-another')
  let now = 1_800_000_000_000
  const accept = createReplayGuard(() => now, 2)
  expect(accept('one', now)).toBe(true)
  expect(accept('two', now)).toBe(true)
  for (const other of ['three', 'four', 'five']) expect(accept(other, now)).toBe(false)
  expect(() => accept('one', now)).toThrow('sent a later one')
  expect(() => accept('two', now)).toThrow('sent a later one')
  // Who is known may send a later one.
  expect(accept('one', now + 1)).toBe(true)
  now += 60_000
  expect(() => accept('one', now - 60_000)).toThrow('sent a later one')
  expect(accept('three', now)).toBe(false)
  now += 2
  expect([accept('three', now), accept('four', now), accept('five', now)]).toEqual([
    true,
    true,
    false,
  ])
})
