/** One call does the work, and those that come meanwhile get its result. */

/** How often a call looks for the result of another, in milliseconds: at first soon, then seldom. */
const [minPollMs, maxPollMs] = [1, 50]
/** How often the call that does the work shows that it still runs, in milliseconds. */
const beatMs = 250
/** Without a sign for so long, in milliseconds, it has ended: another call does the work then. */
const aliveMs = 1500

interface Running<T> {
  beats: number
  outcome?: { readonly value: T } | { readonly error: unknown }
}

/**
 * The arguments are those of the call that does the work. Not a shared promise: on Workers it ends, without a word, with the request that made it,
 * and every call that waits for it waits forever.
 */
export function createSharedCall<T, Given extends readonly unknown[]>(
  work: (...given: Given) => Promise<T>,
): (...given: Given) => Promise<T> {
  let running: Running<T> | undefined

  async function run(given: Given): Promise<T> {
    const own: Running<T> = { beats: 0 }
    running = own
    // Ends with its request.
    const timer = setInterval(() => {
      own.beats += 1
    }, beatMs)
    try {
      const value = await work(...given)
      own.outcome = { value }
      return value
    } catch (error) {
      own.outcome = { error }
      throw error
    } finally {
      clearInterval(timer)
      if (running === own) running = undefined
    }
  }

  return async function call(...given): Promise<T> {
    const other = running
    if (!other) return run(given)
    const outcome = await waitFor(other)
    if (outcome === undefined) {
      if (running === other) running = undefined
      return call(...given)
    }
    if ('error' in outcome) throw outcome.error
    return outcome.value
  }
}

/** The outcome of a call; undefined when it has ended without one. */
async function waitFor<T>(other: Running<T>): Promise<Running<T>['outcome']> {
  let [beats, silentMs] = [other.beats, 0]
  for (let pollMs = minPollMs; silentMs < aliveMs; pollMs = Math.min(pollMs * 2, maxPollMs)) {
    if (other.outcome) return other.outcome
    // Each with its own timer.
    await new Promise<void>((resolve) => setTimeout(resolve, pollMs))
    silentMs = other.beats === beats ? silentMs + pollMs : 0
    beats = other.beats
  }
  return other.outcome
}
