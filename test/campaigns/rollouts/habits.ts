/** When machines are on: offices by day, some always, some rarely. All times are hours since a Monday at midnight. */
import type { SeededRandom } from '../../bed/random.ts'

export type Habit = 'office' | 'always' | 'rare'

/** A machine is on from `from` until `until`. */
export interface Interval {
  readonly from: number
  readonly until: number
}

/** The interval after the one that ends at this hour. */
export const habits: Readonly<Record<Habit, (end: number, random: SeededRandom) => Interval>> = {
  office: nextWorkday,
  always: nextUptime,
  rare: (end, random) => createInterval(end + random.integer(24, 144), 8),
}

export const pickHabit = (random: SeededRandom): Habit => {
  const at = random.next()
  return at < 0.77 ? 'office' : at < 0.97 ? 'always' : 'rare'
}

const createInterval = (from: number, hours: number): Interval => ({ from, until: from + hours })

/** From 7 to 9 o'clock for 8 to 10 hours, without weekends and a day in 25; a workday in 500 begins three to ten days off. */
function nextWorkday(end: number, random: SeededRandom): Interval {
  let day = Math.floor(end / 24) + 1
  if (random.chance(1 / 500)) day += random.integer(3, 10)
  while (day % 7 > 4 || random.chance(1 / 25)) day += 1
  return createInterval(day * 24 + random.integer(7, 9), random.integer(8, 10))
}

/** For weeks; one time in three, it is then off for days, else for an hour. */
function nextUptime(end: number, random: SeededRandom): Interval {
  const off = random.chance(1 / 3) ? random.integer(24, 120) : 1
  return createInterval(end + off, random.integer(200, 1500))
}
