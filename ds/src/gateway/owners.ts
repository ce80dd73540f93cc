/** The owners of keys, versions and labels: a key works only while its owner is there, and goes with it. */
import { and, eq, type SQL } from 'drizzle-orm'
import type { BatchItem } from 'drizzle-orm/batch'
import { type AuditEntry, exists } from '../db/audit.ts'
import type { Database } from '../db/database.ts'
import { forgetRemovedConfigurations, forgetVersion } from '../db/revisions.ts'
import { labels, versions } from '../db/schema.ts'
import type { Consumer, Gateway } from './gateway.ts'

const owners = { registration: versions, application: labels } as const

/** The owner of a key; undefined also when the owner was removed and its key was not, because the process ended in between. */
export async function findKeyOwner(
  { db, gateway }: { readonly db: Database; readonly gateway: Gateway },
  key: string,
): Promise<Consumer | undefined> {
  const consumer = await gateway.lookup(key)
  if (consumer === undefined) return undefined
  return (await hasOwner(db, consumer)) ? consumer : undefined
}

/** Whether the version or label of a consumer is there. */
export async function hasOwner(db: Database, { kind, id }: Consumer): Promise<boolean> {
  const table = owners[kind]
  return (await db.$count(table, eq(table.id, id))) > 0
}

interface OwnerEntries {
  readonly owner: AuditEntry
  readonly key: AuditEntry
}

/**
 * Removes an owner that matches `when`, with its keys: in one batch where they are in the service's own database, else the owner
 * first, because a key without one opens nothing. Returns false when no owner matches.
 */
export async function removeOwner(
  { db, gateway }: { readonly db: Database; readonly gateway: Gateway },
  consumer: Consumer,
  when: SQL | undefined,
  entries: OwnerEntries,
): Promise<boolean> {
  const table = owners[consumer.kind]
  const mine = and(eq(table.id, consumer.id), when)
  const isThere = exists(table, mine)
  const keys = gateway.prepareRemoval?.(consumer, entries.key, isThere)
  const statements: readonly BatchItem<'sqlite'>[] = [
    entries.owner.toStatement(isThere),
    ...(keys ?? []),
    ...(consumer.kind === 'registration' ? [forgetVersion(db, consumer.id, isThere)] : []),
    db.delete(table).where(mine).returning({ id: table.id }),
  ]
  const results = await db.batch(statements as [BatchItem<'sqlite'>])
  const removed = (results as readonly unknown[]).at(-1) as readonly unknown[]
  if (removed.length === 0) return false
  if (keys === undefined) await gateway.remove(consumer, entries.key)
  else await gateway.updateCopies?.(consumer)
  if (consumer.kind === 'registration') await forgetRemovedConfigurations(db)
  return true
}
