/** The port to a gateway that has copies of the keys, and what has to change there. */
import type { Consumer } from './gateway.ts'

/** A key as another gateway has it. */
export interface CopiedKey {
  readonly id: string
  /** undefined: the gateway does not show it. */
  readonly key: string | undefined
  /** When it stops working there, in milliseconds since 1970; undefined: never. */
  readonly expiresAt: number | undefined
}

/** A consumer as another gateway has it, with those of its keys that this service has put there. */
export interface CopiedConsumer {
  readonly keys: readonly CopiedKey[]
  /** Whether it is as this service would put it. */
  readonly isComplete: boolean
}

/** A gateway has answered, and refused: what was asked about other consumers may succeed. */
export class CopyRefusedError extends Error {}

/** Everything is limited to what has the tag and the prefix of this service. */
export interface CopyTarget {
  /** For messages. */
  readonly name: string
  /** By the names of the consumers. */
  list(): Promise<ReadonlyMap<string, CopiedConsumer>>
  find(consumer: string): Promise<CopiedConsumer | undefined>
  putConsumer(consumer: string): Promise<void>
  /** Throws when another consumer has the key. `lifetimeS`: undefined for a key without an end. */
  putKey(
    consumer: string,
    key: { readonly id: string; readonly key: string; readonly lifetimeS: number | undefined },
  ): Promise<void>
  removeKey(consumer: string, id: string): Promise<void>
  removeConsumer(consumer: string): Promise<void>
}

/** A key that works, as the database has it. */
export interface WorkingKey {
  readonly id: string
  /** undefined: it was made before keys were kept for gateways. */
  readonly key: string | undefined
  readonly expiresAt: number | undefined
}

export interface OwnConsumer {
  readonly consumer: Consumer
  readonly keys: readonly WorkingKey[]
}

export const stepKinds = [
  'add-consumer',
  'remove-consumer',
  'add-key',
  'replace-key',
  'remove-key',
  'missing-key',
] as const

/** What has to be done at another gateway. `missing-key`: cannot be done, the key has to be replaced. */
export interface CopyStep {
  readonly kind: (typeof stepKinds)[number]
  readonly consumer: string
  readonly key?: WorkingKey | CopiedKey
}

/** By how much the end of a key may differ there, in milliseconds: it is counted in whole seconds from when it was asked. */
const toleranceMs = 60_000

/** What has to be done so that a gateway has a consumer as the database has it. Keys go before others come: two may be the same. */
export function planCopy(
  consumer: string,
  own: OwnConsumer | undefined,
  copied: CopiedConsumer | undefined,
): readonly CopyStep[] {
  if (own === undefined) return copied === undefined ? [] : [{ kind: 'remove-consumer', consumer }]
  const found = new Map(copied?.keys.map((key) => [key.id, key]))
  const wanted = new Set(own.keys.map(({ id }) => id))
  const removed = [...found.values()].filter(({ id }) => !wanted.has(id))
  return [
    ...(copied?.isComplete ? [] : [{ kind: 'add-consumer', consumer } as const]),
    ...removed.map((key) => ({ kind: 'remove-key', consumer, key }) as const),
    ...own.keys.flatMap((key) => planKey(consumer, key, found.get(key.id))),
  ]
}

function planKey(
  consumer: string,
  key: WorkingKey,
  copied: CopiedKey | undefined,
): readonly CopyStep[] {
  if (copied !== undefined && isSame(key, copied)) return []
  // Without its text, a copy with another end can only be taken away.
  if (key.key === undefined && copied !== undefined) return [{ kind: 'remove-key', consumer, key }]
  if (key.key === undefined) return [{ kind: 'missing-key', consumer, key }]
  return [{ kind: copied === undefined ? 'add-key' : 'replace-key', consumer, key }]
}

function isSame(key: WorkingKey, copied: CopiedKey): boolean {
  if (key.key !== undefined && copied.key !== undefined && key.key !== copied.key) return false
  if (key.expiresAt === undefined || copied.expiresAt === undefined)
    return key.expiresAt === copied.expiresAt
  return Math.abs(key.expiresAt - copied.expiresAt) <= toleranceMs
}
