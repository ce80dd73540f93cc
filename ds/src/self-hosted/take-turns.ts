/** Work of which only some is done at once, and the rest in the order in which it came. */

/** `onTooMany`: what is thrown when as many as `maxWaiting` wait already. */
export function createTurns(
  { maxConcurrent, maxWaiting }: { readonly maxConcurrent: number; readonly maxWaiting: number },
  onTooMany: () => Error,
): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  let running = 0
  return async (work) => {
    if (waiting.length >= maxWaiting) throw onTooMany()
    if (running < maxConcurrent) running += 1
    else await new Promise<void>((next) => waiting.push(next))
    try {
      return await work()
    } finally {
      // The next one takes the place before anyone who comes meanwhile can.
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}
