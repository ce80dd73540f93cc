/** Rejected registrations, used quotas, and readings of the clock. */
import type { ProblemName } from '@cardwire/protocol'
import { index, integer, primaryKey, sqliteTable, text, unique } from 'drizzle-orm/sqlite-core'

/** Refused registrations: one row for each address, reason and identity key. */
export const refusals = sqliteTable(
  'refusals',
  {
    id: integer().primaryKey(),
    address: text().notNull(),
    reason: text().$type<ProblemName>().notNull(),
    /** As the request names it, unverified; empty for none: null never equals itself in a unique constraint. */
    fingerprint: text().notNull(),
    detail: text().notNull(),
    count: integer().notNull(),
    firstAt: integer('first_at').notNull(),
    lastAt: integer('last_at').notNull(),
    requestId: text('request_id').notNull(),
    /** The version whose installation key was sent. */
    keyVersion: text('key_version'),
    version: text(),
    platform: text(),
    hostname: text(),
  },
  (table) => [
    unique().on(table.address, table.reason, table.fingerprint),
    index('refusals_last_at').on(table.lastAt),
  ],
)

/** What was used of the limits of a day. Under SQLite it has no rowid: what was counted on a day lies together. */
export const quotas = sqliteTable(
  'quotas',
  {
    /** What is limited, and whose limit it is. */
    subject: text().notNull(),
    day: integer().notNull(),
    used: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.day, table.subject] })],
)

/** The days on which the clock was read, as days since 1970; one row. */
export const clockReadings = sqliteTable('clock_readings', {
  id: integer().primaryKey(),
  /** The last one. */
  day: integer().notNull(),
  /** Since this one the clock has not jumped. */
  steadySince: integer('steady_since').notNull(),
})
