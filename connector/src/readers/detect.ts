/** Waits for something to be true of the readers. */
import type { Readers, Snapshot } from './readers.ts'

/**
 * What `holds` finds: at once when it finds it now, else as soon as a change brings it, else null after `timeoutMs` or
 * when `signal` aborts.
 */
export function waitFor<T>(
  readers: Pick<Readers, 'snapshot' | 'subscribe'>,
  holds: (snapshot: Snapshot) => T | undefined,
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<T | null> {
  const { promise, resolve, reject } = Promise.withResolvers<T | null>()
  const look = (snapshot: Snapshot) => {
    try {
      const found = holds(snapshot)
      if (found !== undefined) resolve(found)
    } catch (error) {
      reject(error)
    }
  }
  const giveUp = () => resolve(null)
  if (signal?.aborted) return Promise.resolve(null)
  const unsubscribe = readers.subscribe(look)
  const timer = setTimeout(giveUp, timeoutMs)
  signal?.addEventListener('abort', giveUp)
  look(readers.snapshot())
  return promise.finally(() => {
    unsubscribe()
    clearTimeout(timer)
    signal?.removeEventListener('abort', giveUp)
  })
}
