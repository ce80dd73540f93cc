/** How often, in the words of one language. */

/** `many` says it of a duration, such as `8 hours`; `one` of a single unit, such as `hour`. */
export const createEvery =
  (many: (cycle: string) => string, one: (unit: string) => string) =>
  (cycle: string): string => {
    const [, unit] = /^1\s(.+)$/.exec(cycle) ?? []
    return unit === undefined ? many(cycle) : one(unit)
  }
