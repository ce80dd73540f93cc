/** The counters of use, the batches in which devices send them, and how many devices were seen on each day. */
import type { Platform, UseCase } from '@cardwire/protocol'
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { devices } from './devices.ts'

/** How many devices were seen on a day, by what they were then; the days that are over. */
export const fleetDays = sqliteTable(
  'fleet_days',
  {
    /** Days since 1970, UTC. */
    day: integer().notNull(),
    version: text().notNull(),
    platform: text().$type<Platform>().notNull(),
    count: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.day, table.version, table.platform] })],
)

/** The batches a device may send again: the ones of its newest request. */
export const counterBatches = sqliteTable(
  'counter_batches',
  {
    deviceId: text('device_id')
      .notNull()
      .references(() => devices.id, { onDelete: 'cascade' }),
    id: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.deviceId, table.id] })],
)

/**
 * The same of devices that were deleted, by the thumbprint of their key: a device that registers again sends them again,
 * under a new id. Triggers of the migration move them here with the device, and back.
 */
export const departedBatches = sqliteTable(
  'departed_batches',
  {
    fingerprint: text().notNull(),
    id: text().notNull(),
    lastSeenDay: integer('last_seen_day').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.fingerprint, table.id] }),
    index('departed_batches_last_seen_day').on(table.lastSeenDay),
  ],
)

export const counters = sqliteTable(
  'counters',
  {
    day: text().notNull(),
    label: text().notNull(),
    module: text().notNull(),
    useCase: text('use_case').$type<UseCase>().notNull(),
    /** Empty for none: null never equals itself in a primary key. */
    tag: text().notNull(),
    count: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.day, table.label, table.module, table.useCase, table.tag] }),
  ],
)

/**
 * The key of a month: random, sealed with the secret. The devices of the month are hashed with it, and without it no hash
 * can be found again.
 */
export const useKeys = sqliteTable('use_keys', {
  /** UTC, as `2026-11`. */
  month: text().primaryKey(),
  key: text().notNull(),
})

/**
 * Which devices have used which label in a month that is not over for long, by a hash with the key of the month. It refers
 * to no device, and has no order of time.
 */
export const useDevices = sqliteTable(
  'use_devices',
  {
    month: text().notNull(),
    hash: text().notNull(),
    label: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.month, table.hash, table.label] })],
)

/** How many devices that were in a month before, of each label and organization, and in all. */
export const useMonths = sqliteTable(
  'use_months',
  {
    month: text().notNull(),
    scope: text().$type<'label' | 'organization' | 'total'>().notNull(),
    /** Empty for the total. */
    id: text().notNull(),
    devices: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.month, table.scope, table.id] })],
)
