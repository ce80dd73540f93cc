/** The gateway in the service itself: consumers and their API keys in its database. */
import { and, count, eq, sql } from 'drizzle-orm'
import { exists } from '../db/audit.ts'
import { mapConstraintError } from '../db/constraint-error.ts'
import { apiKeys, consumers } from '../db/schema.ts'
import {
  type BuiltinGatewayServices,
  createBuiltinKeys,
  createKeyRow,
  isOver,
  toGatewayError,
} from './builtin-keys.ts'
import type { Consumer, Gateway } from './gateway.ts'

export function createBuiltinGateway(services: BuiltinGatewayServices): Gateway {
  const { db } = services

  return {
    ...createBuiltinKeys(services),
    async register({ kind, id }, key, entry) {
      const row = await createKeyRow(services, { kind, id }, key)
      const { hash, createdAt } = row
      await db.delete(apiKeys).where(and(eq(apiKeys.hash, hash), isOver(createdAt)))
      await mapConstraintError(
        db.batch([
          db.insert(consumers).values({ kind, id, createdAt }),
          ...(entry ? [entry.toStatement()] : []),
          db.insert(apiKeys).values(row),
        ]),
        toGatewayError,
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

const isConsumer = ({ kind, id }: Consumer) => and(eq(consumers.kind, kind), eq(consumers.id, id))
