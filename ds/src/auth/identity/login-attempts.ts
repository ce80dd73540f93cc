/** Slows down guesses at passwords and codes, wherever one is asked for. */
import type { Problem } from '@cardwire/protocol'
import type { Database } from '../../db/database.ts'
import { describeError } from '../../db/describe-error.ts'
import { loginDelays } from '../../db/schema.ts'
import type { Clock, Limits, Log } from '../../ports.ts'
import { bytesToBase64url } from '../../rules/encoding.ts'
import type { Vault } from '../keys/vault.ts'
import { createTooManyProblem } from '../rate-limit.ts'
import {
  type CountedLogin,
  enforceLoginDelay,
  isLoginDelayOf,
  takeBackLogin,
} from './login-delay.ts'
import { createDelayCleanup } from './login-delay-cleanup.ts'
import { createLoginPace } from './login-pace.ts'
import { createRefusalRecord, type RefusedLogin } from './refused-logins.ts'

interface LoginAttemptServices {
  readonly db: Database
  readonly clock: Clock
  readonly limits: Limits
  readonly log: Log
  readonly vault: Pick<Vault, 'deriveMacKey'>
}

/** The statement that forgets failed logins. */
type ForgetLogins = ReturnType<typeof forgetLogins>

export type LoginAttempts = ReturnType<typeof createLoginAttempts>

export function createLoginAttempts(services: LoginAttemptServices) {
  const { db, limits, log } = services
  const pace = createLoginPace(services)
  const record = createRefusalRecord(services)
  const removeOldDelays = createDelayCleanup(services)
  const hashName = createNameHash(services)
  return {
    /**
     * Counts an attempt as failed, before `compare` compares anything. When `compare` throws, nothing was compared, and nothing
     * stays counted. Throws `too-many-requests` when the next attempt is not due.
     */
    async count<T>(account: string, address: string, compare: () => Promise<T>): Promise<T> {
      await pace.begin(address)
      await removeOldDelays()
      const counted = await enforceLoginDelay(services, await hashName(account), address)
      try {
        return await compare()
      } catch (error) {
        await takeBack(counted)
        throw error
      }
    },
    /** Records an attempt in vain. */
    record,
    /** Records it, and throws `problem`, or `too-many-requests`. */
    async refuse(refused: RefusedLogin, problem: Problem): Promise<never> {
      const { address } = refused.from
      await record(refused)
      const retryAfterS = await limits.consume('failure', address)
      if (retryAfterS === undefined) throw problem
      pace.slowDown(address, retryAfterS)
      throw createTooManyProblem('sign in', retryAfterS)
    },
    /**
     * Ends a right attempt. `store` stores what it was for, and forgets the failures of the account from this address in the same
     * batch. They are forgotten, too, when it throws: the attempt was no failed one.
     */
    async complete<T>(
      account: string,
      address: string,
      store: (forget: ForgetLogins) => Promise<T>,
    ): Promise<T> {
      const hash = await hashName(account)
      try {
        return await store(forgetLogins(db, hash, address))
      } catch (error) {
        await tryTo(() => forgetLogins(db, hash, address))
        throw error
      } finally {
        await tryTo(() => pace.takeBack(address))
      }
    },
  }

  async function takeBack(counted: CountedLogin): Promise<void> {
    await tryTo(() => pace.takeBack(counted.address))
    await tryTo(() => takeBackLogin(services, counted))
  }

  /** The caller gets the first error, which often has the same cause. */
  async function tryTo(act: () => PromiseLike<unknown>): Promise<void> {
    try {
      await act()
    } catch (error) {
      log.warn('login stays counted', { error: describeError(error) })
    }
  }
}

/**
 * Names are counted by a hash with a key of the service: what was typed may be a password. Those of accounts, too, so that both
 * take the same time.
 */
function createNameHash({ vault }: Pick<LoginAttemptServices, 'vault'>) {
  const key = vault.deriveMacKey('names of failed logins')
  // Awaited by every use, which then throws; without this, Node would end at a rejection before the first of them.
  key.catch(() => undefined)
  return async (name: string): Promise<string> => {
    const hash = await crypto.subtle.sign('HMAC', await key, new TextEncoder().encode(name))
    return bytesToBase64url(new Uint8Array(hash))
  }
}

/** Of an account from an address. */
const forgetLogins = (db: Database, account: string, address: string) =>
  db.delete(loginDelays).where(isLoginDelayOf(account, address))
