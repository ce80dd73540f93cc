/** Passwords that wait for each other, for Node and Deno. */
import type { Passwords } from '../services.ts'

/** Each takes 32 MiB, and a thread that reading files waits for, too. */
const mostAtOnce = 2

export function inTurn({ hash, matches }: Passwords): Passwords {
  const waiting: (() => void)[] = []
  let running = 0
  const turn = async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= mostAtOnce) await new Promise<void>((next) => waiting.push(next))
    running += 1
    try {
      return await work()
    } finally {
      running -= 1
      waiting.shift()?.()
    }
  }
  return {
    hash: (password) => turn(() => hash(password)),
    matches: (password, stored) => turn(() => matches(password, stored)),
  }
}
