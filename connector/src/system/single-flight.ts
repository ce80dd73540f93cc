/** Shares one run of an operation among callers that call it at the same time. */

/** A call during a run gets the result of that run. */
export function singleFlight<T>(run: () => Promise<T>): () => Promise<T> {
  let current: Promise<T> | undefined
  return () => {
    current ??= run().finally(() => {
      current = undefined
    })
    return current
  }
}

/**
 * A call during a run gets the result of the next run, which all such calls share: the present run may have begun before
 * there was something to find. No call waits for more than two runs.
 */
export function shareNextRun<T>(run: () => Promise<T>): () => Promise<T> {
  let current: Promise<unknown> = Promise.resolve()
  let next: Promise<T> | undefined
  return () => {
    next ??= current.then(() => {
      next = undefined
      const result = run()
      current = result.catch(() => undefined)
      return result
    })
    return next
  }
}
