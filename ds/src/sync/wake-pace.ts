/** When a device synchronizes for which a node has news: one after the other, whether they waited here or come back. */
import type { Clock } from '../ports.ts'
import { findGapS } from '../rules/news.ts'

/** Seconds until the device synchronizes. `devices`: as many have news at once, as far as the node knows. */
export type WakePace = (id: string, devices?: number) => number

export function createWakePace(uptime: Clock, maxRate: number): WakePace {
  /** When each synchronizes, in milliseconds by a clock that is never set; the earliest first. */
  const turns = new Map<string, number>()
  let nextAt = 0
  return (id, devices = 1) => {
    const now = uptime()
    for (const [first, at] of turns) {
      if (at > now) break
      turns.delete(first)
    }
    // One that asks again and again takes no turn of others.
    const own = turns.get(id)
    if (own !== undefined) return (own - now) / 1000
    const at = Math.max(now, nextAt)
    const untilS = (at - now) / 1000
    turns.set(id, at)
    nextAt = at + 1000 * findGapS(devices, untilS, maxRate)
    return untilS
  }
}
