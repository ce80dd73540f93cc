/** The port through which every API key is registered and checked. */
import type { SQL } from 'drizzle-orm'
import type { BatchItem } from 'drizzle-orm/batch'
import type { AuditEntry } from '../db/audit.ts'

/** The owner of keys: a version, whose installers register devices, or a label, whose applications fetch tokens. */
export interface Consumer {
  readonly kind: 'registration' | 'application'
  readonly id: string
}

/** The keys of a consumer that work. */
export interface WorkingKeys {
  /** When the last of its replaced keys stops working, in milliseconds since 1970; undefined: it has none. */
  readonly replacedUntil: number | undefined
}

/**
 * An audit entry that is given is written with the change: in the same batch where the keys are in the service's own
 * database, else as soon as the other system has made the change.
 */
export interface Gateway {
  /** Registers a consumer with its first key. Throws `consumer-taken` or `key-taken`. */
  register(consumer: Consumer, key: string, entry?: AuditEntry): Promise<void>
  /** The consumer that `key` belongs to; undefined when it is unknown or has expired. */
  lookup(key: string): Promise<Consumer | undefined>
  /** Those of the consumers of a kind that have a key which works, by their ids. */
  findKeys(
    kind: Consumer['kind'],
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, WorkingKeys>>
  /** Gives the consumer a new key; the ones before work for `overlapS` more. Throws `key-taken`, `consumer-unknown`. */
  rotate(consumer: Consumer, key: string, overlapS: number, entry?: AuditEntry): Promise<void>
  /** Deletes every key of the consumer, which stays registered. */
  disable(consumer: Consumer, entry?: AuditEntry): Promise<void>
  /** Deletes the consumer and its keys. */
  remove(consumer: Consumer, entry?: AuditEntry): Promise<void>
  /** The statements of `remove` that change something while `when` holds; absent where the keys are in another system. */
  prepareRemoval?(consumer: Consumer, entry: AuditEntry, when: SQL): readonly BatchItem<'sqlite'>[]
  /** Brings copies of the keys of a consumer up to date after a change in the database; absent where there are none. */
  updateCopies?(consumer: Consumer): Promise<void>
  /** Whether a key of the consumer that works has this name. Absent where the keys are in another system. */
  hasNamedKey?(consumer: Consumer, name: string): Promise<boolean>
  /** How many consumers of a kind are registered. */
  count(kind: Consumer['kind']): Promise<number>
}

export type GatewayErrorReason = 'consumer-taken' | 'consumer-unknown' | 'key-taken'

export class GatewayError extends Error {
  readonly reason: GatewayErrorReason

  constructor(reason: GatewayErrorReason) {
    super(`The gateway refused: ${reason}`)
    this.reason = reason
  }
}
