/** What is kept of how a rollout went: each of the latest hours, and the last one of each day before. */

const hourMs = 3_600_000

/** Hours since 1970, of milliseconds. */
export const toHour = (time: number): number => Math.floor(time / hourMs)

export const fromHour = (hour: number): number => hour * hourMs

/** So many hours are kept one by one: as long as the page shows them so. */
const fineHours = 48

/** The most that are kept of a rollout: those, and a day each for more than a year. */
export const maxHours = 450

/** The hours that are no longer needed. `hours`: all that are stored, in any order. */
export function findOldHours(hours: readonly number[]): readonly number[] {
  const newestFirst = hours.toSorted((one, other) => other - one)
  const [newest = 0] = newestFirst
  const isKept = (hour: number, at: number) =>
    hour > newest - fineHours || toDay(hour) !== toDay(newestFirst[at - 1] ?? newest)
  const kept = new Set(newestFirst.filter(isKept).slice(0, maxHours))
  return newestFirst.filter((hour) => !kept.has(hour))
}

const toDay = (hour: number) => Math.floor(hour / 24)
