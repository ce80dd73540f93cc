/** Waiting that ends. */

/** What `promise` gives, or undefined after so many milliseconds; no timer is left behind. */
export async function within<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
  const { promise: timeIsUp, resolve } = Promise.withResolvers<undefined>()
  const timer = setTimeout(() => resolve(undefined), ms)
  try {
    return await Promise.race([promise, timeIsUp])
  } finally {
    clearTimeout(timer)
  }
}
