/** Organizations, their labels, and API keys. */
import { foreignKey, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { revision, times } from './columns.ts'

export const organizations = sqliteTable('organizations', {
  id: text().primaryKey(),
  name: text().notNull(),
  revision,
  ...times,
})

export const labels = sqliteTable(
  'labels',
  {
    id: text().primaryKey(),
    name: text().notNull(),
    orgId: text('org_id')
      .notNull()
      .references(() => organizations.id, { onDelete: 'restrict' }),
    /** The last day on which one of its API keys was used. */
    keyUsedAt: text('key_used_at'),
    revision,
    ...times,
  },
  (table) => [index('labels_org').on(table.orgId)],
)

/** The owners of API keys: a label (application) or a version (registration). */
export const consumers = sqliteTable(
  'consumers',
  {
    kind: text().$type<'application' | 'registration'>().notNull(),
    id: text().notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.kind, table.id] })],
)

/** API keys by their SHA-256 (hex); the keys themselves are not stored, unless a gateway gets copies. */
export const apiKeys = sqliteTable(
  'api_keys',
  {
    hash: text().primaryKey(),
    kind: text().$type<'application' | 'registration'>().notNull(),
    consumerId: text('consumer_id').notNull(),
    createdAt: integer('created_at').notNull(),
    /** The key for gateways that get copies of keys, sealed with DS_SECRET; null where there are none. */
    sealed: text(),
    /** When a replaced key stops working; null for the one in force. */
    expiresAt: integer('expires_at'),
  },
  (table) => [
    index('api_keys_consumer').on(table.kind, table.consumerId),
    foreignKey({
      columns: [table.kind, table.consumerId],
      foreignColumns: [consumers.kind, consumers.id],
    }).onDelete('cascade'),
  ],
)
