/** Months of UTC, as `2026-11`. */

export const toMonth = (time: number): string => new Date(time).toISOString().slice(0, 7)

/** The first of the two months of which devices are kept: the one before that of `now`. */
export function toFirstOpenMonth(now: number): string {
  const date = new Date(now)
  return toMonth(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - 1))
}

/** The first and the last day of a month, as texts that compare with days; not every month has the last one. */
export const toDays = (month: string) => ({ first: `${month}-01`, last: `${month}-31` })
