/** A limit for each name, by a sliding window, with bounded memory. */

const windowMs = 60_000
/** Names that are remembered; the least recently used one is forgotten first. */
const maxNames = 1000

/** Returns a function that counts a call for a name: false when it is one too many within a minute, and then not counted. */
export function createRateLimiter(
  perMinute: number,
  clock: () => number,
): (name: string) => boolean {
  const calls = new Map<string, readonly number[]>()
  return (name) => {
    const now = clock()
    // `at <= now`: after the clock was set back, later calls would otherwise block the name until then.
    const recent = (calls.get(name) ?? []).filter((at) => at <= now && now - at < windowMs)
    const isAllowed = recent.length < perMinute
    calls.delete(name)
    calls.set(name, isAllowed ? [...recent, now] : recent)
    for (const [oldest] of calls) {
      if (calls.size <= maxNames) break
      calls.delete(oldest)
    }
    return isAllowed
  }
}
