/** What administrators changed. */
import type { AuditKind } from '@cardwire/protocol'
import { sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** What administrators changed. Triggers in the migrations allow only inserts. */
export const audit = sqliteTable(
  'audit',
  {
    sequence: integer().primaryKey(),
    at: integer().notNull(),
    subject: text().notNull(),
    /** Null when no token was needed: the administrators' command, the service at its first start. */
    issuer: text(),
    name: text().notNull(),
    operation: text().notNull(),
    kind: text().$type<AuditKind>().notNull(),
    id: text().notNull(),
    /** Names with spaces between. */
    fields: text().notNull(),
    address: text(),
    requestId: text('request_id'),
  },
  (table) => [
    index('audit_resource').on(table.kind, table.id),
    index('audit_at').on(table.at),
    /** A change of many devices has an entry for each: a list without them would read them all. */
    index('audit_summarized')
      .on(table.sequence)
      .where(sql`not (${table.kind} = 'device' and ${table.operation} = 'changeDevices')`),
  ],
)
