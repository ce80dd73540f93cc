/** The public keys of application tokens: those of the last reply. A token that names another key makes the connector synchronize. */
import { createLocalJWKSet, errors, type JWTVerifyGetKey } from 'jose'
import type { Clock } from '../../system/clock.ts'
import { withTimeout } from '../../system/timeout.ts'
import { deadlines } from '../client/transport.ts'
import type { Policy } from '../client/verify-reply.ts'
import type { SyncStatus } from './sync-status.ts'

/** Milliseconds between two synchronizations for such tokens: pages can send tokens with any key id. */
const cooldownMs = 60_000

export interface TokenKeyOptions {
  readonly policy: () => Pick<Policy, 'tokenKeys'> | undefined
  /** Puts the next reply in force. Only a signed reply names keys: the key set that the service publishes is not signed. */
  readonly synchronize: () => Promise<SyncStatus>
  /** Milliseconds since 1970. */
  readonly clock: () => number
  /** Those of the system by default. */
  readonly timers?: Pick<Clock, 'after'>
}

/** The resolver finds the key of a token. Throws when there is none, or when the service could not be asked for it. */
export function createTokenKeyResolver(options: TokenKeyOptions): JWTVerifyGetKey {
  const { policy, synchronize, clock, timers } = options
  let requestedAt = Number.NEGATIVE_INFINITY
  let pending: Promise<void> | undefined

  const findKey: JWTVerifyGetKey = (header, token) =>
    createLocalJWKSet({ keys: [...(policy()?.tokenKeys ?? [])] })(header, token)

  /** A page waits as long as for one response: a synchronization of several requests continues without it. */
  async function askService(): Promise<void> {
    const status = await withTimeout(synchronize(), deadlines.overallMs, timers)
    if (status?.kind !== 'good')
      throw new Error(`Cannot ask the service for its keys: it is ${status?.kind ?? 'slow'}`)
  }

  return async (header, token) => {
    try {
      return await findKey(header, token)
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error
      if (pending === undefined) {
        if (Math.abs(clock() - requestedAt) < cooldownMs) throw error
        requestedAt = clock()
        pending = askService().finally(() => {
          pending = undefined
        })
      }
      await pending
      return findKey(header, token)
    }
  }
}
