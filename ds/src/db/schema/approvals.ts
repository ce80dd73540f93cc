/** Changes that wait for a second administrator. */
import type { ApprovedOperation } from '@cardwire/protocol'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

export const approvals = sqliteTable('approvals', {
  /** The SHA-256 of the change: the same change has the same ID from any account. */
  id: text().primaryKey(),
  operation: text().$type<ApprovedOperation>().notNull(),
  params: text({ mode: 'json' }).$type<Readonly<Record<string, string>>>().notNull(),
  query: text({ mode: 'json' }).$type<Readonly<Record<string, string>>>().notNull(),
  body: text({ mode: 'json' }).$type<unknown>(),
  reach: integer().notNull(),
  maxReach: integer('max_reach').notNull(),
  subject: text().notNull(),
  issuer: text(),
  name: text().notNull(),
  /** Whether it is an account of this service. */
  isLocal: integer('is_local', { mode: 'boolean' }).notNull(),
  /** The newest entry of the audit at that time. */
  sequence: integer().notNull(),
  createdAt: integer('created_at').notNull(),
})
