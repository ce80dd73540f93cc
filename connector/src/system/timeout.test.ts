/** What is waited for, and for how long. */
import { expect, test, vi } from 'vitest'
import { withTimeout } from './timeout.ts'

test('what comes in time is given, and no timer stays', async () => {
  vi.useFakeTimers()
  try {
    expect(await withTimeout(Promise.resolve('here'), 1000)).toBe('here')
    await expect(withTimeout(Promise.reject(new Error('broken')), 1000)).rejects.toThrow('broken')
    expect(vi.getTimerCount()).toBe(0)
  } finally {
    vi.useRealTimers()
  }
})

test('what never comes is waited for until then', async () => {
  expect(await withTimeout(new Promise(() => undefined), 1)).toBeUndefined()
})
