/** How often, in English. */
import { createEvery } from '../every.ts'

/** `cycle`: a duration, such as `8 hours`. */
export const describeEvery = createEvery(
  (cycle) => `every ${cycle}`,
  (unit) => `every ${unit}`,
)
