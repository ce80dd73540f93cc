/** How often, in French. `cycle`: a duration, such as `8 heures`; the word of each of its units is feminine. */
export function describeEvery(cycle: string): string {
  const [, unit] = /^1\s(.+)$/.exec(cycle) ?? []
  return unit === undefined ? `toutes les ${cycle}` : `chaque ${unit}`
}
