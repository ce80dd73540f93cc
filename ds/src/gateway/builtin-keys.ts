/** The keys of registered consumers, in the database of the service, by their SHA-256. */
import { maxOverlapS } from '@cardwire/protocol'
import { and, eq, gt, isNull, lte, max, or, type SQL, sql } from 'drizzle-orm'
import { exists } from '../db/audit.ts'
import { type ConstraintViolation, mapConstraintError } from '../db/constraint-error.ts'
import type { Database } from '../db/database.ts'
import { apiKeys } from '../db/schema.ts'
import type { Clock, Digest } from '../ports.ts'
import { nodeClockSkewS } from '../rules/steady-clock.ts'
import { type Consumer, type Gateway, GatewayError } from './gateway.ts'
import { nameHash } from './names.ts'

export interface BuiltinGatewayServices {
  readonly db: Database
  readonly clock: Clock
  readonly digest: Digest
  /** Seals a key for its hash, where gateways get copies of keys; absent where its text is never needed again. */
  readonly seal?: (key: string, hash: string) => Promise<string>
}

/** A key as gateways get it, and as it is hashed. */
export const normalizeKey = (key: string): string => key.trim().toLowerCase()

/** The row of a key that is new. */
export async function createKeyRow(
  { digest, seal, clock }: BuiltinGatewayServices,
  { kind, id }: Consumer,
  key: string,
) {
  const hash = await hashKey(digest, key)
  const sealed = seal ? await seal(normalizeKey(key), hash) : null
  return { hash, kind, consumerId: id, createdAt: clock(), sealed }
}

/** Keys are found by their hash, so that no lookup compares a secret byte by byte. UUIDs ignore case (RFC 9562 §4). */
export const hashKey = (digest: Digest, key: string) => digest(normalizeKey(key))

export function createBuiltinKeys(
  services: BuiltinGatewayServices,
): Pick<Gateway, 'lookup' | 'findKeys' | 'hasNamedKey' | 'rotate' | 'disable'> {
  const { db, clock, digest } = services
  const selectKey = db
    .select({ kind: apiKeys.kind, id: apiKeys.consumerId, expiresAt: apiKeys.expiresAt })
    .from(apiKeys)
    .where(eq(apiKeys.hash, sql.placeholder('hash')))
    .prepare()

  return {
    async lookup(key) {
      const found = await selectKey.get({ hash: await hashKey(digest, key) })
      if (!found || (found.expiresAt !== null && !isToCome(found.expiresAt, clock())))
        return undefined
      return { kind: found.kind, id: found.id }
    },
    async findKeys(kind, ids) {
      const rows = await db
        .select({ id: apiKeys.consumerId, replacedUntil: max(apiKeys.expiresAt) })
        .from(apiKeys)
        .where(
          and(
            eq(apiKeys.kind, kind),
            // One parameter for all of them: D1 takes a hundred of a statement.
            sql`${apiKeys.consumerId} in (select value from ${db.sqlDialect.eachText(JSON.stringify(ids))})`,
            works(clock()),
          ),
        )
        .groupBy(apiKeys.consumerId)
      return new Map(
        rows.map(({ id, replacedUntil }) => [id, { replacedUntil: replacedUntil ?? undefined }]),
      )
    },
    async hasNamedKey(consumer, name) {
      const rows = await db
        .select({ hash: apiKeys.hash })
        .from(apiKeys)
        .where(and(belongsTo(consumer), works(clock())))
      const names = await Promise.all(rows.map(({ hash }) => nameHash(digest, hash)))
      return names.includes(name)
    },
    async rotate(consumer, key, overlapS, entry) {
      const row = await createKeyRow(services, consumer, key)
      const { hash, createdAt: now } = row
      const expiresAt = now + overlapS * 1000
      await mapConstraintError(
        db.batch([
          db.delete(apiKeys).where(and(belongsTo(consumer), eq(apiKeys.hash, hash))),
          db.delete(apiKeys).where(isOver(now)),
          overlapS === 0
            ? // Not with an end: its time would come again when the clock is set back, or on a node whose clock is behind.
              db.delete(apiKeys).where(belongsTo(consumer))
            : // A key that was replaced before keeps its own, earlier end.
              db
                .update(apiKeys)
                .set({ expiresAt })
                .where(and(belongsTo(consumer), worksAfter(expiresAt))),
          ...(entry ? [entry.toStatement()] : []),
          db.insert(apiKeys).values(row),
        ]),
        toGatewayError,
      )
    },
    async disable(consumer, entry) {
      const removal = db.delete(apiKeys).where(belongsTo(consumer))
      await db.batch(
        entry ? [entry.toStatement(exists(apiKeys, belongsTo(consumer))), removal] : [removal],
      )
    },
  }
}

const belongsTo = ({ kind, id }: Consumer) =>
  and(eq(apiKeys.kind, kind), eq(apiKeys.consumerId, id))

/** No overlap is longer: a key with a later end was replaced while the clock was ahead. In milliseconds. */
const maxOverlapMs = (maxOverlapS + nodeClockSkewS) * 1000

/** Whether the end of a replaced key is still to come. */
const isToCome = (expiresAt: number, now: number): boolean =>
  expiresAt > now && expiresAt <= now + maxOverlapMs

/** Whether a replaced key works no more. */
export const isOver = (now: number): SQL | undefined =>
  or(lte(apiKeys.expiresAt, now), gt(apiKeys.expiresAt, now + maxOverlapMs))

/** Whether a key works: it was not replaced, or its end is still to come. */
export const works = (now: number): SQL | undefined =>
  or(
    isNull(apiKeys.expiresAt),
    and(gt(apiKeys.expiresAt, now), lte(apiKeys.expiresAt, now + maxOverlapMs)),
  )

/** Whether a key still works after a time. */
const worksAfter = (at: number) => or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, at))

export function toGatewayError(violation: ConstraintViolation): GatewayError {
  if (violation.kind === 'reference') return new GatewayError('consumer-unknown')
  return new GatewayError(violation.table === 'consumers' ? 'consumer-taken' : 'key-taken')
}
