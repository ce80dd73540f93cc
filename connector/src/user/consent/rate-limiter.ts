/** A limit for each name, by a sliding window, with bounded memory. */

const windowMs = 60_000
/** Names that are remembered; the least recently used one is forgotten first. */
const maxNames = 1000

/** Returns a function that counts a call for a name: 0, or the milliseconds until the next one when it is one too many within a minute, and then not counted. */
export function createRateLimiter(
  perMinute: number,
  clock: () => number,
): (name: string) => number {
  const calls = new Map<string, readonly number[]>()
  return (name) => {
    const now = clock()
    // `at <= now`: after the clock was set back, later calls would otherwise block the name until then.
    const recent = (calls.get(name) ?? []).filter((at) => at <= now && now - at < windowMs)
    const [oldestCall] = recent.slice(-perMinute)
    const waitMs = recent.length < perMinute ? 0 : windowMs - (now - (oldestCall ?? now))
    calls.delete(name)
    calls.set(name, waitMs === 0 ? [...recent, now] : recent)
    for (const [oldest] of calls) {
      if (calls.size <= maxNames) break
      calls.delete(oldest)
    }
    return waitMs
  }
}
