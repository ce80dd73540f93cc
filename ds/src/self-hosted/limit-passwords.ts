/** Limits how many passwords are hashed at once, for Node and Deno. */
import { Problem } from '@cardwire/client/protocol'
import type { Passwords } from '../ports.ts'

/** Each takes 32 MiB and one of the threads that also read files. */
const maxConcurrent = 2

/** How many wait for their turn, a few seconds at most: who comes then is told to come again, and takes no memory meanwhile. */
const maxWaiting = 100

export function limitPasswords({ hash, verify }: Passwords): Passwords {
  const waiting: (() => void)[] = []
  let running = 0
  const runInTurn = async <T>(work: () => Promise<T>): Promise<T> => {
    if (waiting.length >= maxWaiting)
      throw new Problem('service-busy', 'Cannot compare the password: too many others wait', {
        retryAfterS: 2,
      })
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
