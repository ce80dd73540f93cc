/** How much an account registers within a minute, with a manual clock. */
import { beforeEach, expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { createRegistrationLimit } from './registration-limit.ts'

const mebibyte = 1024 ** 2
const ada = '1000'
const mallory = '1002'

let now: number
let limit: ReturnType<typeof createRegistrationLimit>
beforeEach(() => {
  now = Date.UTC(2026, 10, 24)
  limit = createRegistrationLimit(() => now)
})

const fill = (user: string | undefined, bytes: number) => {
  let count = 0
  while (limit(user, bytes) === 0 && count < 5000) count += 1
  return count
}

test.each([
  ['1 MiB', mebibyte, 4],
  ['16 KiB', 16_384, 256],
  ['142 bytes', 142, 1024],
])('an account registers so many times %s', (_, bytes, expected) => {
  proves('processor-kept-busy')
  expect(fill(mallory, bytes)).toBe(expected)
  expect(limit(ada, bytes)).toBe(0)
})

test('an account may register again after the time in Retry-After, and not before', () => {
  expect(fill(mallory, mebibyte)).toBe(4)
  expect(limit(mallory, mebibyte)).toBe(15_000)
  now += 14_999
  expect(limit(mallory, mebibyte)).toBeGreaterThan(0)
  now += 1
  expect(limit(mallory, mebibyte)).toBe(0)
})

test('a clock that is set back neither blocks an account for longer nor gives it more', () => {
  expect(fill(mallory, mebibyte)).toBe(4)
  now -= 3_600_000
  expect(limit(mallory, mebibyte)).toBe(15_000)
  now += 15_000
  expect(limit(mallory, mebibyte)).toBe(0)
})

test('accounts that the system does not name are not limited', () => {
  expect(fill(undefined, mebibyte)).toBe(5000)
})
