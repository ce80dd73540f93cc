/** Work of which only so much is done at once: the rest waits, in its order. */

export type QueueWork = <T>(work: () => Promise<T>) => Promise<T>

export function createWorkQueue(places: number): QueueWork {
  const waiting: (() => void)[] = []
  let free = places
  return async (work) => {
    if (free > 0) free -= 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else free += 1
    }
  }
}
