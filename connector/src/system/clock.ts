/** A clock and its timers, as an argument. */

export interface Clock {
  /** Milliseconds on a clock that never goes back. */
  now(): number
  /** Acts once after a delay, unless the result is called before. */
  after(delayMs: number, act: () => void): () => void
}

export const systemClock: Clock = {
  now: () => performance.now(),
  after(delayMs, act) {
    const timer = setTimeout(act, delayMs)
    return () => clearTimeout(timer)
  },
}

/** The same; its timers keep no process running. */
export const backgroundClock: Clock = {
  now: systemClock.now,
  after(delayMs, act) {
    const timer = setTimeout(act, delayMs)
    timer.unref()
    return () => clearTimeout(timer)
  },
}
