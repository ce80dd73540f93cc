/** The state of each signing key of a use, by the time from which it signs. */

export interface KeyTimes {
  readonly id: string
  /** When it begins to sign, in milliseconds since 1970. */
  readonly signsFrom: number
}

/**
 * standby: published, signs when it is activated. announced: published, signs from its time on. retiring: published,
 * its successor signs. gone: neither published nor accepted.
 */
export type KeyState = 'standby' | 'announced' | 'signing' | 'retiring' | 'gone'

/** `signsFrom` of a standby key: the last day that ISO 8601 can write with a year of four digits. */
export const standbySignsFrom = Date.UTC(9999, 11, 31)

/**
 * The state of every key at `now`. The key that signs is the newest that has begun; the ones before it stay published
 * for `overlapMs` after their successor began.
 */
export function getKeyStates(
  keys: readonly KeyTimes[],
  now: number,
  overlapMs: number,
): ReadonlyMap<string, KeyState> {
  const byAge = keys.toSorted((a, b) => a.signsFrom - b.signsFrom)
  // When the clock was set back no key has begun yet: the oldest one signs.
  const signing = byAge.findLast(({ signsFrom }) => signsFrom <= now) ?? byAge[0]
  return new Map(
    byAge.map((key, at) => {
      if (key === signing) return [key.id, 'signing']
      if (key.signsFrom === standbySignsFrom) return [key.id, 'standby']
      if (key.signsFrom > now) return [key.id, 'announced']
      const successor = byAge[at + 1]
      return [key.id, successor && successor.signsFrom + overlapMs > now ? 'retiring' : 'gone']
    }),
  )
}
