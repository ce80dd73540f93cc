/** The pause before the next poll: a registry that answers every poll at once must not keep the processor busy. */

/** How a poll ended. */
type PollResult =
  | 'requests'
  /** With nothing, which a registry answers at once only after a registration. */
  | 'nothing'
  /** The registry does not know the agent, which then registers again. */
  | 'agent-unknown'

/** Milliseconds. */
export const pacing = {
  /** A poll that took so long has waited. */
  waitedMs: 50,
  /** So many polls in a row that bring requests at once have no pause between them: a page sends several, and then waits. */
  freePolls: 20,
  busyMs: 10,
  /** Between polls without requests, after the first; twice as long each time. */
  firstMs: 50,
  maxMs: 2000,
} as const

/** Returns a function that says how long to pause after a poll that took `tookMs`. */
export function createPollPacing(): (result: PollResult, tookMs: number) => number {
  let withRequests = 0
  let without = 0
  return (result, tookMs) => {
    if (tookMs >= pacing.waitedMs && result !== 'agent-unknown') {
      withRequests = 0
      without = 0
      return 0
    }
    if (result === 'requests') {
      withRequests += 1
      without = Math.max(0, without - 1)
      return withRequests > pacing.freePolls ? pacing.busyMs : 0
    }
    without += 1
    return without === 1 ? 0 : Math.min(pacing.maxMs, pacing.firstMs * 2 ** (without - 2))
  }
}
