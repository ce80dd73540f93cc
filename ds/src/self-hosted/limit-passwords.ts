/** Limits how many passwords are hashed at once, for Node and Deno. */
import { Problem } from '@cardwire/protocol'
import type { Passwords } from '../ports.ts'
import { createTurns } from './take-turns.ts'

const limits = {
  /** Each takes 32 MiB and one of the threads that also read files. */
  maxConcurrent: 2,
  /** A few seconds at most: who comes then is told to come again, and takes no memory meanwhile. */
  maxWaiting: 100,
}

export function limitPasswords({ hash, verify }: Passwords): Passwords {
  const runInTurn = createTurns(
    limits,
    () =>
      new Problem(
        'service-busy',
        'Cannot check the password: too many sign-ins are waiting, try again later',
        {
          retryAfterS: 2,
        },
      ),
  )
  return {
    hash: (password) => runInTurn(() => hash(password)),
    verify: (password, passwordHash) => runInTurn(() => verify(password, passwordHash)),
  }
}
