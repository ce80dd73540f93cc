/** Limits how many passwords are hashed at once, for Node and Deno. */
import type { Passwords } from '../ports.ts'

/** Each takes 32 MiB and one of the threads that also read files. */
const maxConcurrent = 2

export function limitPasswords({ hash, verify }: Passwords): Passwords {
  const waiting: (() => void)[] = []
  let running = 0
  const runInTurn = async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= maxConcurrent) await new Promise<void>((next) => waiting.push(next))
    running += 1
    try {
      return await work()
    } finally {
      running -= 1
      waiting.shift()?.()
    }
  }
  return {
    hash: (password) => runInTurn(() => hash(password)),
    verify: (password, passwordHash) => runInTurn(() => verify(password, passwordHash)),
  }
}
