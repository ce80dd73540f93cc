/** How often, in French; the word of each unit is feminine. */
import { createEvery } from '../every.ts'

/** `cycle`: a duration, such as `8 heures`. */
export const describeEvery = createEvery(
  (cycle) => `toutes les ${cycle}`,
  (unit) => `chaque ${unit}`,
)
