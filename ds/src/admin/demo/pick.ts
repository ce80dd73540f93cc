/** Choices that are the same each time: what a simulated device has follows from its number. */

/** From 0 to 1, 1 excluded; different for each `of`, so that two choices for one number do not depend on each other. */
export function toShare(number: number, of: number): number {
  // The finalizer of MurmurHash3, which spreads numbers that follow each other.
  let bits = Math.imul(number + 1, 0x9e3779b1) ^ Math.imul(of + 1, 0x85ebca6b)
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b)
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35)
  return ((bits ^ (bits >>> 16)) >>> 0) / 2 ** 32
}

/** One of the values, as often as its weight says. */
export function pick<T>(weights: readonly (readonly [T, number])[], share: number): T {
  const total = weights.reduce((sum, [, weight]) => sum + weight, 0)
  let left = share * total
  for (const [value, weight] of weights) {
    left -= weight
    if (left < 0) return value
  }
  throw new Error('Cannot pick: there are no weights')
}
