/** Timers of hours that count the time a machine sleeps: the timers of a process stand still meanwhile. */
import type { Clock } from '../../system/clock.ts'

/** Milliseconds between two looks at the wall clock. */
const pollMs = 60_000

/** Calls `act` after so many milliseconds; the returned function cancels that. */
export type StartTimer = (ms: number, act: () => void) => () => void

/** `wallClock` gives milliseconds since 1970. The timer ends when the first of the two clocks says so. */
export function createWallClockTimer(clock: Clock, wallClock: () => number): StartTimer {
  return (ms, act) => {
    const end = { clock: clock.now() + ms, wallClock: wallClock() + ms }
    let cancel = (): void => undefined
    const poll = (): void => {
      const leftMs = Math.min(end.clock - clock.now(), end.wallClock - wallClock())
      cancel = leftMs > 0 ? clock.after(Math.min(leftMs, pollMs), poll) : clock.after(0, act)
    }
    poll()
    return () => cancel()
  }
}
