/** How often something may be done by name, with bounded memory. */

const windowMs = 60_000
/** Names that are remembered; the one that was quiet longest is forgotten first. */
const mostNames = 1000

/** Each call is one more for its name; false when it is one too many within a minute, and then it does not count. */
export function pace(perMinute: number, clock: () => number): (name: string) => boolean {
  const done = new Map<string, readonly number[]>()
  return (name) => {
    const now = clock()
    // A clock that was set back would otherwise hold them for ever.
    const recent = (done.get(name) ?? []).filter((at) => at <= now && now - at < windowMs)
    const allowed = recent.length < perMinute
    done.delete(name)
    done.set(name, allowed ? [...recent, now] : recent)
    for (const [oldest] of done) {
      if (done.size <= mostNames) break
      done.delete(oldest)
    }
    return allowed
  }
}
