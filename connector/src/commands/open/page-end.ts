/** When the local page ends: after the user has closed it, has not opened it, or has not used it for long. */
import { type Clock, systemClock } from '../../system/clock.ts'

/** In milliseconds. A browser that is slow to start gets a page that says how to go on. */
const limits = { unopenedMs: 120_000, closedMs: 5000, unusedMs: 1_800_000 }

export interface PageEnd {
  /** How many pages watch now. */
  setWatching(pages: number): void
  recordUse(): void
  endNow(): void
  /** Whether it was ever opened. */
  readonly ended: Promise<boolean>
}

export function createPageEnd(clock: Clock = systemClock): PageEnd {
  const { promise: ended, resolve } = Promise.withResolvers<boolean>()
  let wasOpened = false
  let cancelClosed: () => void = () => undefined
  let cancelUnused = clock.after(limits.unopenedMs, () => resolve(wasOpened))
  return {
    ended,
    endNow: () => resolve(true),
    recordUse() {
      wasOpened = true
      cancelUnused()
      cancelUnused = clock.after(limits.unusedMs, () => resolve(true))
    },
    setWatching(pages) {
      cancelClosed()
      if (pages === 0) cancelClosed = clock.after(limits.closedMs, () => resolve(true))
    },
  }
}
