/** Waits for hours although the machine sleeps meanwhile: the timers of a process stand still with it. */
import type { Clock } from '../readers/clock.ts'

/** How often the wall clock is looked at, in milliseconds. */
const lookMs = 60_000

/** Calls back after so many milliseconds; the answer ends it. */
export type Later = (ms: number, act: () => void) => () => void

/** `wall` is milliseconds since 1970. Whichever clock says first that the time is over is believed. */
export function sleepProof(clock: Clock, wall: () => number): Later {
  return (ms, act) => {
    const ends = { awake: clock.now() + ms, wall: wall() + ms }
    let cancel = (): void => undefined
    const look = (): void => {
      const left = Math.min(ends.awake - clock.now(), ends.wall - wall())
      cancel = left > 0 ? clock.after(Math.min(left, lookMs), look) : clock.after(0, act)
    }
    look()
    return () => cancel()
  }
}
