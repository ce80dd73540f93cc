/** A clock that the test moves forward. */
import type { Clock } from '../../src/system/clock.ts'

export interface ManualClock extends Clock {
  /** Goes on, and does on its way what was to be done; what promises wait for has happened when it resolves. */
  pass(ms: number): Promise<void>
}

export function createManualClock(): ManualClock {
  let now = 0
  const acts = new Set<{ readonly at: number; readonly act: () => void }>()
  return {
    now: () => now,
    after(delayMs, act) {
      const entry = { at: now + delayMs, act }
      acts.add(entry)
      return () => acts.delete(entry)
    },
    async pass(ms) {
      const end = now + ms
      for (;;) {
        await flushPromises()
        const [next] = [...acts].filter(({ at }) => at <= end).toSorted((a, b) => a.at - b.at)
        if (!next) break
        acts.delete(next)
        now = next.at
        next.act()
      }
      now = end
    },
  }
}

/** Promises that are resolved have been heard. */
export const flushPromises = () => new Promise<void>((resolve) => setImmediate(resolve))
