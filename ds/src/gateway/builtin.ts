/** The gateway in the service itself: API keys in its database, by their SHA-256. */
import { and, count, eq, gt, isNull, lte, or, sql } from 'drizzle-orm'
import { exists } from '../db/audit.ts'
import { type ConstraintViolation, mapConstraintError } from '../db/constraint-error.ts'
import type { Database } from '../db/database.ts'
import { apiKeys, consumers } from '../db/schema.ts'
import type { Clock, Digest } from '../ports.ts'
import { type Consumer, type Gateway, GatewayError } from './gateway.ts'

interface GatewayServices {
  readonly db: Database
  readonly clock: Clock
  readonly digest: Digest
}

export function createBuiltinGateway(services: GatewayServices): Gateway {
  const { db, clock, digest } = services
  // Keys are found by their hash, so that no lookup compares a secret byte by byte. UUIDs ignore case (RFC 9562 §4).
  const hashKey = (key: string) => digest(key.trim().toLowerCase())
  const selectKey = db
    .select({ kind: apiKeys.kind, id: apiKeys.consumerId, expiresAt: apiKeys.expiresAt })
    .from(apiKeys)
    .where(eq(apiKeys.hash, sql.placeholder('hash')))
    .prepare()
  const isConsumer = ({ kind, id }: Consumer) => and(eq(consumers.kind, kind), eq(consumers.id, id))
  const belongsTo = ({ kind, id }: Consumer) =>
    and(eq(apiKeys.kind, kind), eq(apiKeys.consumerId, id))

  return {
    async register({ kind, id }, key, entry) {
      const hash = await hashKey(key)
      const createdAt = clock()
      await db.delete(apiKeys).where(and(eq(apiKeys.hash, hash), lte(apiKeys.expiresAt, createdAt)))
      await mapConstraintError(
        db.batch([
          db.insert(consumers).values({ kind, id, createdAt }),
          ...(entry ? [entry.toStatement()] : []),
          db.insert(apiKeys).values({ hash, kind, consumerId: id, createdAt }),
        ]),
        toGatewayError,
      )
    },
    async lookup(key) {
      const found = await selectKey.get({ hash: await hashKey(key) })
      if (!found || (found.expiresAt !== null && found.expiresAt <= clock())) return undefined
      return { kind: found.kind, id: found.id }
    },
    async findWithKey(kind, ids) {
      const rows = await db
        .select({ id: apiKeys.consumerId })
        .from(apiKeys)
        .where(
          and(
            eq(apiKeys.kind, kind),
            // One parameter for all of them: D1 takes a hundred of a statement.
            sql`${apiKeys.consumerId} in (select value from ${db.sqlDialect.eachText(JSON.stringify(ids))})`,
            or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, clock())),
          ),
        )
      return new Set(rows.map(({ id }) => id))
    },
    async rotate(consumer, key, overlapS, entry) {
      const hash = await hashKey(key)
      const now = clock()
      const expiresAt = now + overlapS * 1000
      await mapConstraintError(
        db.batch([
          db.delete(apiKeys).where(and(belongsTo(consumer), eq(apiKeys.hash, hash))),
          db.delete(apiKeys).where(lte(apiKeys.expiresAt, now)),
          // A key that was replaced before keeps its own, earlier end.
          db
            .update(apiKeys)
            .set({ expiresAt })
            .where(
              and(
                belongsTo(consumer),
                or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, expiresAt)),
              ),
            ),
          ...(entry ? [entry.toStatement()] : []),
          db
            .insert(apiKeys)
            .values({ hash, kind: consumer.kind, consumerId: consumer.id, createdAt: now }),
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
    async remove(consumer, entry) {
      const removal = db.delete(consumers).where(isConsumer(consumer))
      const isKnown = exists(consumers, isConsumer(consumer))
      await db.batch(entry ? [entry.toStatement(isKnown), removal] : [removal])
    },
    prepareRemoval(consumer, entry, when) {
      const isKnown = exists(consumers, isConsumer(consumer))
      return [
        entry.toStatement(sql`${isKnown} and ${when}`),
        db.delete(consumers).where(and(isConsumer(consumer), when)),
      ]
    },
    async count(kind) {
      const [row] = await db
        .select({ total: count() })
        .from(consumers)
        .where(eq(consumers.kind, kind))
      return row?.total ?? 0
    },
  }
}

function toGatewayError(violation: ConstraintViolation): GatewayError {
  if (violation.kind === 'reference') return new GatewayError('consumer-unknown')
  return new GatewayError(violation.table === 'consumers' ? 'consumer-taken' : 'key-taken')
}
