/** The time until the next synchronization: a cycle after a success, and after failures a time that doubles. */

/**
 * Milliseconds. The first one is spread, so that the machines of a company do not all synchronize at once; less for a
 * connector that has no policy yet.
 */
const maxFirstMs = { withPolicy: 60_000, withoutPolicy: 5_000 }
/** Seconds. The longest cycle of a service that is followed, and the longest Retry-After: a month and a day. */
const maxWaitS = { cycle: 30 * 86_400, retryAfter: 86_400 }
const backOffMs = { first: 30_000, max: 3_600_000 }

export interface Schedule {
  /** After the start of the process. */
  first(hasPolicy: boolean): number
  /** After a success; `cycleS` is the cycle of the service, in seconds. */
  afterSuccess(cycleS: number): number
  /** After a failure; `retryAfterS` is the Retry-After of the service, in seconds. */
  afterFailure(retryAfterS?: number): number
}

/** `random` gives numbers from 0 to 1, 1 excluded. All results are milliseconds. */
export function createSchedule(random: () => number): Schedule {
  let failures = 0
  /** Up to a tenth earlier or later. */
  const addJitter = (ms: number) => Math.round(ms * (0.9 + random() * 0.2))
  return {
    first: (hasPolicy) =>
      Math.round(random() * (hasPolicy ? maxFirstMs.withPolicy : maxFirstMs.withoutPolicy)),
    afterSuccess(cycleS) {
      failures = 0
      return addJitter(Math.min(Math.max(cycleS, 1), maxWaitS.cycle) * 1000)
    },
    afterFailure(retryAfterS) {
      failures += 1
      // Never before the Retry-After; without one the time doubles, half of it at random.
      if (retryAfterS !== undefined && retryAfterS > 0) {
        return Math.round(Math.min(retryAfterS, maxWaitS.retryAfter) * 1000 * (1 + random() * 0.2))
      }
      const waitMs = Math.min(backOffMs.first * 2 ** (failures - 1), backOffMs.max)
      return Math.round(waitMs / 2 + (random() * waitMs) / 2)
    },
  }
}
