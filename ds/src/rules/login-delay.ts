/** How long a login has to wait after failures: the delay doubles, up to a maximum. */

/** Failures without a delay: people mistype. */
const freeFailures = 2
/** The maximum in seconds: an account is slowed down, never locked. */
export const maxDelayS = 900

/** Seconds until the next login after this many failures in a row. */
export const getLoginDelayS = (failures: number): number =>
  failures <= freeFailures ? 0 : Math.min(2 ** (failures - freeFailures - 1), maxDelayS)

/** Failures are forgotten after this long without one, in seconds. */
export const forgetAfterS = 86_400
