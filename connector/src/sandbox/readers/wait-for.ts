/** Waits until the readers fulfil a condition. */
import type { Readers, Snapshot } from './readers.ts'

/** Resolves with what `find` returns, now or after a change; null after `timeoutMs` or when `signal` aborts. */
export function waitForReaders<T>(
  readers: Pick<Readers, 'snapshot' | 'subscribe'>,
  find: (snapshot: Snapshot) => T | undefined,
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<T | null> {
  const { promise, resolve, reject } = Promise.withResolvers<T | null>()
  const check = (snapshot: Snapshot) => {
    try {
      const found = find(snapshot)
      if (found !== undefined) resolve(found)
    } catch (error) {
      reject(error)
    }
  }
  const giveUp = () => resolve(null)
  if (signal?.aborted) return Promise.resolve(null)
  const unsubscribe = readers.subscribe(check)
  const timer = setTimeout(giveUp, timeoutMs)
  signal?.addEventListener('abort', giveUp)
  check(readers.snapshot())
  return promise.finally(() => {
    unsubscribe()
    clearTimeout(timer)
    signal?.removeEventListener('abort', giveUp)
  })
}
