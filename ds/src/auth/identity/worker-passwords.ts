/** Limits the password hashes of a Worker's isolate: each blocks it, so others are served in between, and few wait. */
import { Problem } from '@cardwire/protocol'
import type { Clock, Passwords } from '../../ports.ts'

/** With as many waiting, the next request is refused with `Retry-After`. */
const maxWaiting = 10
/** Between two hashes, for the requests of others, in milliseconds. */
const restMs = 250
/** How often a request looks whether it is its turn, in milliseconds. */
const pollMs = 50
/** A Worker ends a request whose client has left, without a word: one that has not looked for so long waits no more. */
const aliveMs = 5000

const sleepWithTimer = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/**
 * Each request waits with its own timer, because on Workers nothing may depend on another request that may have ended.
 * Throws `service-busy`.
 */
export function limitWorkerPasswords(
  { hash, verify }: Passwords,
  clock: Clock = Date.now,
  sleep: (ms: number) => Promise<void> = sleepWithTimer,
): Passwords {
  /** Those that wait, in their order, and when each has looked last. */
  const waiting = new Map<symbol, number>()
  /** No hash begins before: one that runs postpones it. */
  let freeFrom = 0
  /**
   * When the last hash ended, or earlier, until the next request knows better: the clock of a Worker stands still while it computes
   * (developers.cloudflare.com/workers/runtime-apis/performance).
   */
  let endedAt: number | undefined

  const removeEnded = (now: number) => {
    for (const [ticket, lookedAt] of waiting)
      if (Math.abs(now - lookedAt) > aliveMs) waiting.delete(ticket)
  }

  async function takeTurn(): Promise<void> {
    const ticket = Symbol()
    removeEnded(clock())
    if (waiting.size >= maxWaiting)
      throw new Problem(
        'service-busy',
        'Cannot check the password: too many sign-ins are waiting, try again later',
        {
          retryAfterS: 2,
        },
      )
    for (;;) {
      const now = clock()
      if (endedAt !== undefined) {
        if (now - endedAt < aliveMs) freeFrom = now + restMs
        endedAt = undefined
      }
      waiting.set(ticket, now)
      removeEnded(now)
      const [first] = waiting.keys()
      // Later than any hash postpones it: the clock was set back.
      if (first === ticket && (now >= freeFrom || freeFrom - now > aliveMs)) {
        waiting.delete(ticket)
        freeFrom = now + aliveMs
        return
      }
      await sleep(pollMs)
    }
  }

  async function runInTurn<T>(work: () => Promise<T>): Promise<T> {
    await takeTurn()
    try {
      return await work()
    } finally {
      endedAt = clock()
    }
  }

  return {
    hash: (password) => runInTurn(() => hash(password)),
    verify: (password, passwordHash) => runInTurn(() => verify(password, passwordHash)),
  }
}
