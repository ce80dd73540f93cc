/** Whether the clock can be believed when rows are removed because of their age. All times are days since 1970. */

/** How far the clocks of the service's nodes may differ, in seconds. */
export const nodeClockSkewS = 30

const dayMs = 86_400_000

export interface ClockReadings {
  /** The day of the last reading. */
  readonly day: number
  /** The day since which the clock has not jumped. */
  readonly steadySince: number
}

/** Days without a reading that are normal: nobody synchronizes on a long weekend. More is a jump, and so is a step back. */
const maxStepDays = 4

/** Days after a jump without removals. All devices of a fleet synchronize within them (DS_CYCLE is seven days at most). */
const waitDays = 14

/**
 * The readings with `today` in them. The first reading of all counts as a jump. `elapsedDays` is how long ago the last
 * reading was by a clock that nobody sets, where that is known: a step that is longer by a day is a jump, however short.
 */
export function readClock(
  before: ClockReadings | undefined,
  today: number,
  elapsedDays?: number,
): ClockReadings {
  const stepDays = today - (before?.day ?? Number.NEGATIVE_INFINITY)
  const maxDays = Math.min(maxStepDays, (elapsedDays ?? maxStepDays) + 1)
  const isSteady = before && stepDays >= 0 && stepDays <= maxDays
  return { day: today, steadySince: isSteady ? before.steadySince : today }
}

/** The day of a reading at `now`, in milliseconds since 1970: around midnight the clock of another node may be on the next day already. */
export function toReadingDay(before: ClockReadings | undefined, now: number): number {
  const latest = Math.floor((now + nodeClockSkewS * 1000) / dayMs)
  return before?.day === latest ? latest : Math.floor(now / dayMs)
}

/** The day from which rows may be removed because of their age. */
export const toRemovalDay = ({ steadySince }: ClockReadings): number => steadySince + waitDays
