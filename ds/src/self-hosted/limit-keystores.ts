/** Limits how many keystores are opened at once, for Node and Deno. */
import { Problem } from '@cardwire/protocol'
import type { OpenKeystore } from '../ports.ts'
import { createTurns } from './take-turns.ts'

/** A file may keep a processor busy for seconds. */
const limits = { maxConcurrent: 1, maxWaiting: 10 }

export function limitKeystores(open: OpenKeystore): OpenKeystore {
  const runInTurn = createTurns(
    limits,
    () =>
      new Problem(
        'service-busy',
        'Cannot open the keystore: too many other requests are waiting, try again later',
        {
          retryAfterS: 10,
        },
      ),
  )
  return (...request) => runInTurn(() => open(...request))
}
