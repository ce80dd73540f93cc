/** Where each signing key of a use is in its life. */

export interface KeyTimes {
  readonly id: string
  /** When it begins to sign, in milliseconds since 1970. */
  readonly signsFrom: number
}

/**
 * announced: published, does not sign yet. standby: the same without a time to begin. retiring: published, its successor
 * signs. gone: of no use any more.
 */
export type KeyState = 'standby' | 'announced' | 'signing' | 'retiring' | 'gone'

/** `signsFrom` of a key that begins when it is called for: the last day a date of ISO 8601 with four digits can name. */
export const standsBy = Date.UTC(9999, 11, 31)

/**
 * The state of every key at `now`. The key that signs is the newest that has begun; the ones before it stay published
 * for `overlapMs` after their successor began.
 */
export function keyStates(
  keys: readonly KeyTimes[],
  now: number,
  overlapMs: number,
): ReadonlyMap<string, KeyState> {
  const byAge = keys.toSorted((a, b) => a.signsFrom - b.signsFrom)
  // A clock that is behind the maker's must not leave the service without a key.
  const signing = byAge.findLast(({ signsFrom }) => signsFrom <= now) ?? byAge[0]
  return new Map(
    byAge.map((key, at) => {
      if (key === signing) return [key.id, 'signing']
      if (key.signsFrom === standsBy) return [key.id, 'standby']
      if (key.signsFrom > now) return [key.id, 'announced']
      const successor = byAge[at + 1]
      return [key.id, successor && successor.signsFrom + overlapMs > now ? 'retiring' : 'gone']
    }),
  )
}
