/** Devices, and changes of many of them. */
import type {
  DeviceChange,
  DeviceContext,
  Fault,
  IdentityKey,
  Platform,
  TagImport,
  UserContext,
  Verdict,
} from '@cardwire/protocol'
import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, sqliteView, text } from 'drizzle-orm/sqlite-core'

export const devices = sqliteTable(
  'devices',
  {
    id: text().primaryKey(),
    /** Thumbprint of the identity key (RFC 7638): a device that registers again with the same key keeps its id. */
    fingerprint: text().notNull().unique(),
    key: text({ mode: 'json' }).$type<IdentityKey>().notNull(),
    version: text().notNull(),
    platform: text().$type<Platform>().notNull(),
    device: text({ mode: 'json' }).$type<DeviceContext>().notNull(),
    user: text({ mode: 'json' }).$type<UserContext>().notNull(),
    blocked: integer({ mode: 'boolean' }).notNull(),
    /** Whether it gets the keystore of its version. */
    approved: integer({ mode: 'boolean' }).notNull().default(true),
    registrations: integer().notNull(),
    registeredAt: integer('registered_at').notNull(),
    createdAt: integer('created_at').notNull(),
    /** `iat` of the newest accepted assertion, in milliseconds: one that is not later is a replay. */
    assertedAt: integer('asserted_at').notNull(),
    lastSeenAt: integer('last_seen_at').notNull(),
    /** The same as days since 1970: an index over a column that changes with every request would cost as much as the request. */
    lastSeenDay: integer('last_seen_day').notNull(),
    /** What administrators gave it, sorted. */
    tags: text({ mode: 'json' }).$type<readonly string[]>().notNull().default([]),
    /** The state of the newest policy it got, and how often that changed. */
    state: text(),
    revision: integer().notNull(),
    verdict: text().$type<Verdict['action']>(),
    keystore: text(),
    faults: text({ mode: 'json' }).$type<readonly Fault[]>().notNull(),
    /** Names that `device` and `user` have, in lower case as far as ASCII goes: for searches. */
    hostname: text().generatedAlwaysAs(sql`lower("device" ->> 'hostname')`),
    username: text().generatedAlwaysAs(sql`lower("user" ->> 'username')`),
  },
  (table) => [
    // A list reads no row that it does not show: what it filters by stands in the index of its order.
    index('devices_last_seen').on(
      table.lastSeenDay,
      table.id,
      table.version,
      table.platform,
      table.verdict,
      table.blocked,
      table.approved,
    ),
    index('devices_faulty').on(table.lastSeenDay, table.id).where(sql`"faults" <> '[]'`),
    index('devices_hostname').on(table.hostname, table.id).where(sql`"hostname" is not null`),
    index('devices_username').on(table.username, table.id).where(sql`"username" is not null`),
  ],
)

/**
 * A table of SQLite, and a view of PostgreSQL, which triggers keep. Each row counts the devices that are alike in all other
 * columns.
 */
export const deviceCounts = sqliteView('device_counts', {
  lastSeenDay: integer('last_seen_day').notNull(),
  version: text().notNull(),
  platform: text().$type<Platform>().notNull(),
  blocked: integer({ mode: 'boolean' }).notNull(),
  approved: integer({ mode: 'boolean' }).notNull(),
  /** Whether the newest report of the device has a fault. */
  faulty: integer({ mode: 'boolean' }).notNull(),
  count: integer().notNull(),
}).existing()

/** The same by the kinds of faults in the newest report of each device. A device without faults is in no row, one with two kinds in two. */
export const deviceFaultCounts = sqliteView('device_fault_counts', {
  lastSeenDay: integer('last_seen_day').notNull(),
  version: text().notNull(),
  kind: text().notNull(),
  blocked: integer({ mode: 'boolean' }).notNull(),
  approved: integer({ mode: 'boolean' }).notNull(),
  count: integer().notNull(),
}).existing()

/** The tags of each device, given and reported: a table that triggers keep. */
export const deviceTags = sqliteView('device_tags', {
  tag: text().notNull(),
  deviceId: text('device_id').notNull(),
}).existing()

/** Changes of many devices, by the ids that their callers chose. */
export const deviceChanges = sqliteTable(
  'device_changes',
  {
    id: text().primaryKey(),
    change: text().$type<DeviceChange>().notNull(),
    /** As a query. */
    filter: text().notNull(),
    /** The most devices that it may change. */
    reach: integer().notNull(),
    done: integer().notNull(),
    /** The last device, by its id: the next ones come after it. */
    lastId: text('last_id').notNull(),
    /** Names the request that changed devices last. */
    step: text().notNull(),
    createdAt: integer('created_at').notNull(),
    finished: integer({ mode: 'boolean' }).notNull().default(false),
    /** Who sent the first request; empty for changes from before this was stored. */
    subject: text().notNull().default(''),
    issuer: text(),
    name: text().notNull().default(''),
    /** Those that it adds or removes. */
    tags: text({ mode: 'json' }).$type<readonly string[]>(),
    /** The devices that cannot take more tags, counted at the first request. */
    refused: integer().notNull().default(0),
  },
  (table) => [index('device_changes_created_at').on(table.createdAt)],
)

/** The devices of these changes, but for those that were removed. */
export const changedDevices = sqliteTable(
  'changed_devices',
  {
    changeId: text('change_id').notNull(),
    deviceId: text('device_id').notNull(),
    /** Whether the device was changed again later, by hand or by another change, or removed. */
    changedSince: integer('changed_since', { mode: 'boolean' }).notNull().default(false),
    /** Those that the device had before, if the change is one of tags. */
    tags: text({ mode: 'json' }).$type<readonly string[]>(),
  },
  (table) => [
    primaryKey({ columns: [table.changeId, table.deviceId] }),
    index('changed_devices_device').on(table.deviceId),
    // Few: they are counted for each change of a list.
    index('changed_devices_since').on(table.changeId).where(sql`"changed_since"`),
  ],
)

/** What a CSV file with tags would change, counted when it was read. */
export const tagImports = sqliteTable(
  'tag_imports',
  {
    id: text().primaryKey(),
    createdAt: integer('created_at').notNull(),
    /** Null until all rows have been read: nothing is changed then. */
    review: text({ mode: 'json' }).$type<TagImport>(),
  },
  (table) => [index('tag_imports_created_at').on(table.createdAt)],
)

/** The devices whose tags it would change. */
export const plannedTags = sqliteTable(
  'planned_tags',
  {
    importId: text('import_id').notNull(),
    deviceId: text('device_id').notNull(),
    /** Those that the device had then. */
    before: text({ mode: 'json' }).$type<readonly string[]>().notNull(),
    tags: text({ mode: 'json' }).$type<readonly string[]>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.importId, table.deviceId] })],
)

/** The newest logs of a device. */
export const deviceLogs = sqliteTable(
  'device_logs',
  {
    deviceId: text('device_id')
      .primaryKey()
      .references(() => devices.id, { onDelete: 'cascade' }),
    media: text().notNull(),
    /** Base64: drivers return bytes in different types. */
    bytes: text().notNull(),
    receivedAt: integer('received_at').notNull(),
  },
  (table) => [index('device_logs_received_at').on(table.receivedAt)],
)
