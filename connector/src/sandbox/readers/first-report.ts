/** The first report of the running sandbox, for those who wait for it. */
import type { Clock } from '../../system/clock.ts'

export interface FirstReport {
  /** The sandbox has reported, or there is nothing to wait for. */
  resolve(): void
  /** The sandbox has ended: the first report of the next one is waited for. */
  restart(): void
  /** Resolves with the report, at the latest after this many milliseconds. */
  wait(timeoutMs: number): Promise<void>
}

export function createFirstReport(clock: Clock): FirstReport {
  let report = Promise.withResolvers<void>()
  let isResolved = false
  return {
    resolve() {
      isResolved = true
      report.resolve()
    },
    restart() {
      // Who waits for this sandbox waits for the next one.
      if (isResolved) report = Promise.withResolvers()
      isResolved = false
    },
    async wait(timeoutMs) {
      const timeout = Promise.withResolvers<void>()
      const cancel = clock.after(timeoutMs, timeout.resolve)
      await Promise.race([report.promise, timeout.promise])
      cancel()
    },
  }
}
