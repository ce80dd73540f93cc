/** How long a login waits after failures: doubling, and never for ever. */

/** Mistakes that cost nothing, because people make them. */
const free = 2
/** The longest wait, in seconds: an account is slowed, never locked. */
const longestS = 900

/** Seconds until the next try after this many failures in a row. */
export const loginDelayS = (failures: number): number =>
  failures <= free ? 0 : Math.min(2 ** (failures - free - 1), longestS)

/** Failures are forgotten after this long without one, in seconds. */
export const forgetAfterS = 86_400
