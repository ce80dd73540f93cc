/** Work of which only the latest matters: one at a time, and what is running for another value is aborted. */
import { singleFlight } from '../../system/single-flight.ts'

export interface LatestWork<T> {
  /** Resolves when there is nothing more to do; values are the same when their JSON is. */
  start(value: T): Promise<void>
  /** Aborts what is running. */
  abort(): void
}

/** `run` never rejects. */
export function createLatestWork<T>(
  run: (value: T, signal: AbortSignal) => Promise<void>,
): LatestWork<T> {
  let pending: { readonly value: T } | undefined
  let running: { readonly json: string | undefined; readonly abort: AbortController } | undefined

  const runPending = singleFlight(async () => {
    while (pending) {
      const { value } = pending
      pending = undefined
      running = { json: JSON.stringify(value), abort: new AbortController() }
      await run(value, running.abort.signal)
      running = undefined
    }
  })

  return {
    start(value) {
      pending = { value }
      if (running && running.json !== JSON.stringify(value)) running.abort.abort()
      return runPending()
    },
    abort: () => running?.abort.abort(),
  }
}
