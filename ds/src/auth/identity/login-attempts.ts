/** Slows down guesses at passwords and codes, wherever one is asked for. */
import type { Problem } from '@cardwire/client/protocol'
import type { Database } from '../../db/database.ts'
import { loginDelays } from '../../db/schema.ts'
import type { Clock, Limits, Log } from '../../ports.ts'
import { createTooManyProblem } from '../rate-limit.ts'
import { enforceLoginDelay, isLoginDelayOf } from './login-delay.ts'
import { createDelayCleanup } from './login-delay-cleanup.ts'
import { createLoginPace } from './login-pace.ts'

interface LoginAttemptServices {
  readonly db: Database
  readonly clock: Clock
  readonly limits: Limits
  readonly log: Log
}

export type LoginAttempts = ReturnType<typeof createLoginAttempts>

export function createLoginAttempts(services: LoginAttemptServices) {
  const { db, limits, log } = services
  const pace = createLoginPace(services)
  const removeOldDelays = createDelayCleanup(services)
  return {
    /** Counts an attempt as failed, before anything is compared. Throws `too-many-requests` when the next one is not due. */
    async begin(account: string, address: string): Promise<void> {
      await pace.begin(address)
      await removeOldDelays()
      await enforceLoginDelay(services, account, address)
    },
    /** Throws `problem`, or `too-many-requests`. */
    async refuse(address: string, problem: Problem): Promise<never> {
      log.warn('login refused', { address })
      const retryAfterS = await limits.consume('failure', address)
      if (retryAfterS === undefined) throw problem
      pace.slowDown(address, retryAfterS)
      throw createTooManyProblem('log in', retryAfterS)
    },
    /** The statement that forgets the failures of an account from an address, for the batch of what succeeded. */
    forget: (account: string, address: string) =>
      db.delete(loginDelays).where(isLoginDelayOf(account, address)),
    /** Takes the count of the address back: only failures are counted. */
    succeed: (address: string) => pace.succeed(address),
  }
}
