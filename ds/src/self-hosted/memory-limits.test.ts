/** The limits of one process, as its clock is set. */
import { afterEach, expect, test, vi } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { createMemoryLimits, limitPeriodS } from './memory-limits.ts'

afterEach(() => void vi.useRealTimers())

test('a clock that is set back makes no one wait longer than a period', async () => {
  proves('service-clock-jump')
  vi.useFakeTimers({ toFake: ['Date'] })
  const limits = createMemoryLimits({ tokenLimit: 1, registrationLimit: 2 })
  await limits.consume('token', 'shop')
  vi.setSystemTime(Date.now() - 86_400_000)
  const waitS = await limits.consume('token', 'shop')
  expect(waitS).toBeGreaterThan(0)
  expect(waitS).toBeLessThanOrEqual(limitPeriodS)
})
