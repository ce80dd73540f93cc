/** Waits for a promise no longer than a given time. */
import { type Clock, systemClock } from './clock.ts'

/** What `promise` gives, or undefined after so many milliseconds; no timer is left behind. */
export async function withTimeout<T>(
  promise: Promise<T>,
  ms: number,
  { after }: Pick<Clock, 'after'> = systemClock,
): Promise<T | undefined> {
  const { promise: timeIsUp, resolve } = Promise.withResolvers<undefined>()
  const cancel = after(ms, () => resolve(undefined))
  try {
    return await Promise.race([promise, timeIsUp])
  } finally {
    cancel()
  }
}
