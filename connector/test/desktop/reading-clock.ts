/** A clock of windows whose user reads each of them before an answer. */

/** Ten seconds pass between two looks at it. */
export function readSlowly(): () => number {
  let now = 0
  return () => {
    now += 10_000
    return now
  }
}
