/** How often, in Dutch. */
import { createEvery } from '../every.ts'

/** `cycle`: a duration, such as `8 uur`. */
export const describeEvery = createEvery(
  (cycle) => `elke ${cycle}`,
  (unit) => (unit === 'uur' ? 'elk uur' : `elke ${unit}`),
)
