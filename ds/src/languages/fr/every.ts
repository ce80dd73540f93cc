/** How often, in French. */
import { createEvery } from '../every.ts'

/** `cycle`: a duration, such as `8 heures`. */
export const describeEvery = createEvery(
  // Of the units, only days are masculine.
  (cycle) => `${/jours$/.test(cycle) ? 'tous' : 'toutes'} les ${cycle}`,
  (unit) => `chaque ${unit}`,
)
