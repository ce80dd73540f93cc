/** Work of which only so much is done at once: the rest waits. What a page no longer waits for, or may have, is not begun. */
import type { Context } from 'hono'
import type { ApiEnv, Caller } from '../http/route-types.ts'
import type { RequirePage } from './page-watch.ts'

/** Throws the Problem for a page that has gone, or has lost its access, by the time its turn has come. */
export type QueueWork = <T>(context: Context<ApiEnv>, work: () => Promise<T>) => Promise<T>

/** One place is always left to the others: an origin whose work takes long, such as a file that comes slowly, blocks itself. */
export function createWorkQueue(places: number, requirePage: RequirePage): QueueWork {
  const maxOfOrigin = Math.max(1, places - 1)
  /** By origin: the next turn is that of the first that may have one, which is the last afterwards. */
  const waiting = new Map<string, (() => void)[]>()
  /** By origin: what is being done. */
  const taken = new Map<string, number>()
  let free = places

  const take = (origin: string, count: 1 | -1) => {
    free -= count
    const left = (taken.get(origin) ?? 0) + count
    if (left > 0) taken.set(origin, left)
    else taken.delete(origin)
  }
  const giveTurns = () => {
    for (const [origin, turns] of waiting) {
      if (free === 0) return
      if ((taken.get(origin) ?? 0) >= maxOfOrigin) continue
      const next = turns.shift()
      waiting.delete(origin)
      if (turns.length > 0) waiting.set(origin, turns)
      take(origin, 1)
      next?.()
    }
  }
  return async (context, work) => {
    const origin = toOrigin(context.get('caller'))
    await new Promise<void>((resolve) => {
      const turns = waiting.get(origin)
      if (turns) turns.push(resolve)
      else waiting.set(origin, [resolve])
      giveTurns()
    })
    try {
      requirePage(context)
      return await work()
    } finally {
      take(origin, -1)
      giveTurns()
    }
  }
}

/** Programs of the user count as one. */
export const toOrigin = (caller: Caller): string =>
  caller.kind === 'page' ? caller.origin : caller.kind
