/** The lines of two texts that only one of them has: origins, files and what is said about cards are sets, their order means nothing. */
export function findDifference(
  before: string,
  after: string,
): { readonly removed: readonly string[]; readonly added: readonly string[] } {
  const [old, next] = [before, after].map((text) => text.split('\n').filter(Boolean))
  const without = (lines: readonly string[] = [], others: readonly string[] = []) => {
    const known = new Set(others)
    return lines.filter((line) => !known.has(line))
  }
  return { removed: without(old, next), added: without(next, old) }
}
