/** How often, and within how long, in German; the word of each single unit is feminine. */
import { createEvery } from '../every.ts'

/** `cycle`: a duration, such as `8 Stunden`. */
export const describeEvery = createEvery(
  (cycle) => `alle ${cycle}`,
  (unit) => `jede ${unit}`,
)

/** In the dative, whose plural only days show. */
export const describeWithin = createEvery(
  (cycle) => `innerhalb von ${cycle}`.replace(/Tage$/, 'Tagen'),
  (unit) => `innerhalb einer ${unit}`,
)
