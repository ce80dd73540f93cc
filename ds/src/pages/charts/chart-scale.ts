/** The numbers of a chart by day: its days, and the marks of its axis. */

const dayMs = 86_400_000

/** Every day from `from` to `to` (`YYYY-MM-DD`, both included), at most `max` of them: the latest. */
export function listDays(from: string, to: string, max = 400): readonly string[] {
  const [first, last] = [Date.parse(from), Date.parse(to)]
  const count = Math.min(max, Math.floor((last - first) / dayMs) + 1)
  return Array.from({ length: Math.max(0, count) }, (_, index) =>
    toDay(last - (count - 1 - index) * dayMs),
  )
}

const toDay = (time: number): string => new Date(time).toISOString().slice(0, 10)

/** The sum of `count` of each of the days; a day without rows has 0. */
export function sumByDay(
  days: readonly string[],
  rows: readonly { readonly day: string; readonly count: number }[],
): readonly number[] {
  const sums = new Map<string, number>()
  for (const { day, count } of rows) sums.set(day, (sums.get(day) ?? 0) + count)
  return days.map((day) => sums.get(day) ?? 0)
}

/** The marks of an axis from 0 to at least `max`: whole numbers, in steps of 1, 2 or 5 times a power of ten. */
export function chooseTicks(max: number, wanted = 4): readonly number[] {
  const rough = Math.max(1, max / wanted)
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough) ?? rough
  const count = Math.max(1, Math.ceil(max / step))
  return Array.from({ length: count + 1 }, (_, index) => index * step)
}
