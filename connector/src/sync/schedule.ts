/** When the next synchronisation is due: a cycle after a good one, later and later after bad ones. */

/**
 * Milliseconds. The first one is spread, so that a company's machines do not wake as one; less so for a connector that
 * has nothing to live by yet.
 */
const firstMost = { known: 60_000, new: 5_000 }
/** Of what a service asks for, as far as it is waited for, in seconds: at most a month for a cycle, a day for a crowd. */
const longestS = { cycle: 30 * 86_400, retryAfter: 86_400 }
const backOff = { first: 30_000, most: 3_600_000 }

export interface Schedule {
  /** After the start of the process; `known`: there is something to live by until then. */
  first(known: boolean): number
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
    first: (known) => Math.round(random() * (known ? firstMost.known : firstMost.new)),
    afterGood(cycleS) {
      failures = 0
      return about(Math.min(Math.max(cycleS, 1), longestS.cycle) * 1000)
    },
    afterBad(retryAfterS) {
      failures += 1
      const wait = Math.min(backOff.first * 2 ** (failures - 1), backOff.most)
      // Never before the service said; a service that says nothing gets what doubles, half of it by chance.
      if (retryAfterS !== undefined && retryAfterS > 0) {
        return Math.round(Math.min(retryAfterS, longestS.retryAfter) * 1000 * (1 + random() * 0.2))
      }
      return Math.round(wait / 2 + (random() * wait) / 2)
    },
  }
}
