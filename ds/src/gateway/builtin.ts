/** The gateway that the service carries: keys in its own database, by their SHA-256. */
import { and, count, eq, gt, isNull, lte, or, sql } from 'drizzle-orm'
import { there } from '../db/audit.ts'
import { apiKeys, consumers } from '../db/schema.ts'
import { refusing, type Violation } from '../db/violation.ts'
import type { Services } from '../services.ts'
import { type Consumer, type Gateway, GatewayError } from './gateway.ts'

export function builtinGateway(parts: Pick<Services, 'db' | 'clock' | 'digest'>): Gateway {
  const { db, clock, digest } = parts
  // A key by its hash: looking it up compares nothing secret byte by byte. Case does not count in a UUID (RFC 9562 §4).
  const hashKey = (key: string) => digest(key.trim().toLowerCase())
  const live = db
    .select({ kind: apiKeys.kind, id: apiKeys.consumerId, expiresAt: apiKeys.expiresAt })
    .from(apiKeys)
    .where(eq(apiKeys.hash, sql.placeholder('hash')))
    .prepare()
  const isConsumer = ({ kind, id }: Consumer) => and(eq(consumers.kind, kind), eq(consumers.id, id))
  const isOf = ({ kind, id }: Consumer) => and(eq(apiKeys.kind, kind), eq(apiKeys.consumerId, id))

  return {
    async register({ kind, id }, key, entry) {
      const hash = await hashKey(key)
      const createdAt = clock()
      await db.delete(apiKeys).where(and(eq(apiKeys.hash, hash), lte(apiKeys.expiresAt, createdAt)))
      await refusing(
        db.batch([
          db.insert(consumers).values({ kind, id, createdAt }),
          ...(entry ? [entry.statement()] : []),
          db.insert(apiKeys).values({ hash, kind, consumerId: id, createdAt }),
        ]),
        refusal,
      )
    },
    async lookup(key) {
      const found = await live.get({ hash: await hashKey(key) })
      if (!found || (found.expiresAt !== null && found.expiresAt <= clock())) return undefined
      return { kind: found.kind, id: found.id }
    },
    async rotate(consumer, key, overlapS, entry) {
      const hash = await hashKey(key)
      const now = clock()
      const expiresAt = now + overlapS * 1000
      await refusing(
        db.batch([
          db.delete(apiKeys).where(and(isOf(consumer), eq(apiKeys.hash, hash))),
          db.delete(apiKeys).where(lte(apiKeys.expiresAt, now)),
          // A key replaced before keeps its own, earlier end.
          db
            .update(apiKeys)
            .set({ expiresAt })
            .where(
              and(isOf(consumer), or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, expiresAt))),
            ),
          ...(entry ? [entry.statement()] : []),
          db
            .insert(apiKeys)
            .values({ hash, kind: consumer.kind, consumerId: consumer.id, createdAt: now }),
        ]),
        refusal,
      )
    },
    async disable(consumer, entry) {
      const end = db.delete(apiKeys).where(isOf(consumer))
      await db.batch(entry ? [entry.statement(there(apiKeys, isOf(consumer))), end] : [end])
    },
    async remove(consumer, entry) {
      const forget = db.delete(consumers).where(isConsumer(consumer))
      const known = there(consumers, isConsumer(consumer))
      await db.batch(entry ? [entry.statement(known), forget] : [forget])
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

function refusal(violation: Violation): GatewayError {
  if (violation.kind === 'reference') return new GatewayError('consumer-unknown')
  return new GatewayError(violation.table === 'consumers' ? 'consumer-taken' : 'key-taken')
}
