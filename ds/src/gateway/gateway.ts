/** The port through which every API key is registered and checked. */
import type { Entry } from '../db/audit.ts'

/** Who holds a key: a version's installers register devices, a label's applications fetch tokens. */
export interface Consumer {
  readonly kind: 'registration' | 'application'
  readonly id: string
}

/**
 * An entry given to a verb is written with the change: in its batch where the keys lie in the service's own database,
 * else as soon as the other system has made it.
 */
export interface Gateway {
  /** Makes a consumer with its first key. Throws `consumer-taken` or `key-taken`. */
  register(consumer: Consumer, key: string, entry?: Entry): Promise<void>
  /** Who holds `key` now. */
  lookup(key: string): Promise<Consumer | undefined>
  /** Gives the consumer a new key; the ones before work for `overlapS` more. Throws `key-taken`, `consumer-unknown`. */
  rotate(consumer: Consumer, key: string, overlapS: number, entry?: Entry): Promise<void>
  /** Ends every key of the consumer, which stays registered. */
  disable(consumer: Consumer, entry?: Entry): Promise<void>
  /** Forgets the consumer and its keys. */
  remove(consumer: Consumer, entry?: Entry): Promise<void>
  /** How many consumers of a kind are registered. */
  count(kind: Consumer['kind']): Promise<number>
}

export type GatewayRefusal = 'consumer-taken' | 'consumer-unknown' | 'key-taken'

export class GatewayError extends Error {
  readonly reason: GatewayRefusal

  constructor(reason: GatewayRefusal) {
    super(`The gateway refused: ${reason}`)
    this.reason = reason
  }
}
