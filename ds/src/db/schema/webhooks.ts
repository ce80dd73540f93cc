/** Webhooks: how far each has read the audit, and what was sent to it. */
import type { WebhookDelivery, WebhookEventType, WebhookFault } from '@cardwire/protocol'
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { revision, times } from './columns.ts'

export const webhooks = sqliteTable('webhooks', {
  id: text().primaryKey(),
  name: text().notNull(),
  url: text().notNull(),
  events: text({ mode: 'json' }).$type<readonly WebhookEventType[]>().notNull(),
  /** Sealed. */
  secret: text().notNull(),
  /** The secret before, sealed, which signs as well until then. */
  previousSecret: text('previous_secret'),
  previousUntil: integer('previous_until'),
  state: text().$type<'active' | 'failing' | 'disabled'>().notNull(),
  /** The entry of the audit up to which everything was sent. */
  position: integer().notNull(),
  /** How often the next event has failed, since when, and when it is tried again. */
  attempts: integer().notNull().default(0),
  pendingSince: integer('pending_since'),
  nextAt: integer('next_at').notNull().default(0),
  failedAt: integer('failed_at'),
  failedStatus: integer('failed_status'),
  failedReason: text('failed_reason').$type<WebhookFault>(),
  /** The run that sends to it, and until when no other one may. */
  lease: text(),
  leaseUntil: integer('lease_until').notNull().default(0),
  revision,
  ...times,
})

/** The newest attempts. */
export const webhookDeliveries = sqliteTable(
  'webhook_deliveries',
  {
    id: text().primaryKey(),
    webhookId: text('webhook_id')
      .notNull()
      .references(() => webhooks.id, { onDelete: 'cascade' }),
    /** The webhook-id of the request. */
    event: text().notNull(),
    /** The entry of the audit; null for a test. */
    sequence: integer(),
    type: text().$type<WebhookDelivery['type']>().notNull(),
    subject: text().notNull(),
    at: integer().notNull(),
    attempt: integer().notNull(),
    outcome: text().$type<WebhookDelivery['outcome']>().notNull(),
    status: integer(),
    reason: text().$type<WebhookFault>(),
    durationMs: integer('duration_ms').notNull(),
  },
  (table) => [index('webhook_deliveries_at').on(table.webhookId, table.at)],
)
