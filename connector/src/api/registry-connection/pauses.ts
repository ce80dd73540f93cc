/** Pauses between steps, all of which end when the steps are to stop. */
import type { Clock } from '../../system/clock.ts'

export interface Pauses {
  /** Milliseconds; none once `end` was called. */
  pause(ms: number): Promise<void>
  end(): void
}

export function createPauses(clock: Clock): Pauses {
  let ended = false
  let wake = () => {}
  return {
    async pause(ms) {
      if (ended) return
      const { promise, resolve } = Promise.withResolvers<void>()
      const cancel = clock.after(ms, resolve)
      wake = resolve
      await promise
      cancel()
    },
    end() {
      ended = true
      wake()
    },
  }
}
