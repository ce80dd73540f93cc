/** The days that a screen of counts shows. */

/** Days, UTC, both included. */
export interface Period {
  readonly from: string
  readonly to: string
}

const dayMs = 86_400_000

/** What was asked for; else the 30 days up to `to`, or today. `now`: milliseconds since 1970. */
export function readPeriod(
  { from, to }: { readonly from?: string | undefined; readonly to?: string | undefined },
  now: number,
): Period {
  const last = to ?? toDay(now)
  const lastMs = Date.parse(last)
  return { from: from ?? toDay((Number.isNaN(lastMs) ? now : lastMs) - 29 * dayMs), to: last }
}

const toDay = (time: number): string => new Date(time).toISOString().slice(0, 10)
