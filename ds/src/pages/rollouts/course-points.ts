/** The points of the charts of a rollout: each hour of two days, or each day of more. */
import type { RolloutHour } from '@cardwire/protocol'
import { listDays } from '../charts/chart-scale.ts'

const hourMs = 3_600_000

/** Up to so many hours are shown one by one. */
const fineHours = 48

/** `at`: the hour as ISO 8601, or the day as `YYYY-MM-DD`, in UTC. */
type Point = RolloutHour

export interface Course {
  readonly by: 'hour' | 'day'
  /** Oldest first, without a gap: where nothing was counted, with what was known before. */
  readonly points: readonly Point[]
}

/** `hours`: as the service tells them, oldest first. Undefined: no device has been offered the version. */
export function toCourse(hours: readonly RolloutHour[]): Course | undefined {
  const [first, last] = [hours[0], hours.at(-1)]
  if (!first || !last || hours.every(({ offered }) => offered === 0)) return undefined
  const span = (Date.parse(last.at) - Date.parse(first.at)) / hourMs
  if (span > fineHours) {
    const days = listDays(first.at.slice(0, 10), last.at.slice(0, 10))
    return { by: 'day', points: fill(hours, days, (at) => at.slice(0, 10)) }
  }
  const start = Date.parse(first.at)
  const times = Array.from({ length: span + 1 }, (_, hour) =>
    new Date(start + hour * hourMs).toISOString(),
  )
  return { by: 'hour', points: fill(hours, times, (at) => at) }
}

/** The last of each step; of a step without one, the one before. */
function fill(
  hours: readonly RolloutHour[],
  steps: readonly string[],
  toStep: (at: string) => string,
): readonly Point[] {
  const byStep = new Map(hours.map((hour) => [toStep(hour.at), hour]))
  const points: Point[] = []
  for (const at of steps) {
    // Days that are too many to be shown may hide the first one.
    const known = byStep.get(at) ?? points.at(-1)
    if (known) points.push({ ...known, at })
  }
  return points
}
