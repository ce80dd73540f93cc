/** Work of which only so much is done at once: the rest waits, in its order. What a page no longer waits for, or may have, is not begun. */
import type { Context } from 'hono'
import type { ApiEnv } from '../http/route-types.ts'
import type { RequirePage } from './page-watch.ts'

/** Throws the Problem for a page that has gone, or has lost its access, by the time its turn has come. */
export type QueueWork = <T>(context: Context<ApiEnv>, work: () => Promise<T>) => Promise<T>

export function createWorkQueue(places: number, requirePage: RequirePage): QueueWork {
  const waiting: (() => void)[] = []
  let free = places
  return async (context, work) => {
    if (free > 0) free -= 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      requirePage(context)
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else free += 1
    }
  }
}
