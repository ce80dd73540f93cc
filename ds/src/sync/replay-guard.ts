/** Refuses an assertion of a wait that was used here already: a wait stores nothing in the database that would show it. */

import type { Clock } from '../ports.ts'
import { clockSkewMs } from '../rules/assertion.ts'
import { createReplayedProblem } from '../rules/problems.ts'

/**
 * Remembers the newest assertion of each device until it has expired. False: it remembers `max` already, and this one cannot
 * be accepted. `at`: when it was made, in milliseconds since 1970, by the clock of the device.
 */
export function createReplayGuard(clock: Clock, max: number): (id: string, at: number) => boolean {
  const newest = new Map<string, number>()
  /** Neither expired, nor from a time when the clock of the service was ahead. */
  const counts = (at: number, now: number) => Math.abs(now - at) <= clockSkewMs
  return (id, at) => {
    const now = clock()
    const last = newest.get(id)
    if (last !== undefined && at <= last && counts(last, now)) throw createReplayedProblem()
    // Set again, it is the last of the map.
    newest.delete(id)
    for (const [first, made] of newest) {
      if (counts(made, now)) break
      newest.delete(first)
    }
    // None is forgotten for another: its assertion could be sent once more.
    if (newest.size >= max) return false
    newest.set(id, at)
    return true
  }
}
