/** When the next synchronisation is due: a cycle after a good one, later and later after bad ones. */

/** Milliseconds. The first one is spread, so that a company's machines do not wake as one. */
const firstMost = 60_000
const backOff = { first: 30_000, most: 3_600_000 }

export interface Schedule {
  /** After the start of the process. */
  first(): number
  /** After a good one; `cycleS` as the service said, in seconds. */
  afterGood(cycleS: number): number
  /** After a failure; `retryAfterS` as the service said, in seconds. */
  afterBad(retryAfterS?: number): number
}

/** `random` gives numbers from 0 to 1, 1 excluded. All answers are milliseconds. */
export function createSchedule(random: () => number): Schedule {
  let failures = 0
  /** Up to a tenth earlier or later. */
  const about = (ms: number) => Math.round(ms * (0.9 + random() * 0.2))
  return {
    first: () => Math.round(random() * firstMost),
    afterGood(cycleS) {
      failures = 0
      return about(cycleS * 1000)
    },
    afterBad(retryAfterS) {
      failures += 1
      const wait = Math.min(backOff.first * 2 ** (failures - 1), backOff.most)
      // Never before the service said; a service that says nothing gets what doubles, half of it by chance.
      if (retryAfterS !== undefined) return Math.round(retryAfterS * 1000 * (1 + random() * 0.2))
      return Math.round(wait / 2 + (random() * wait) / 2)
    },
  }
}
