/** Versions of the connector, their configurations, and what both were. */
import type { Configuration, Installer, Platform, Version } from '@cardwire/protocol'
import { index, integer, primaryKey, sqliteTable, text, unique } from 'drizzle-orm/sqlite-core'
import { revision, times } from './columns.ts'

/** What a version says, as its history keeps it. */
type VersionValue = Pick<Version, 'recommended' | 'mandatory' | 'allowed' | 'uris'>

export const versions = sqliteTable('versions', {
  id: text().primaryKey(),
  /** The id without build metadata: two versions that SemVer ranks alike cannot both be registered. */
  precedence: text().notNull().unique(),
  recommended: integer({ mode: 'boolean' }).notNull(),
  mandatory: integer({ mode: 'boolean' }).notNull(),
  allowed: integer({ mode: 'boolean' }).notNull(),
  uris: text({ mode: 'json' }).$type<readonly Installer[]>().notNull(),
  /** The installation key, wrapped; only where it is stamped into the packages. */
  wrappedKey: text('wrapped_key'),
  /** 1 when created, one more with each update. */
  revision: integer().notNull(),
  ...times,
})

/** Installation keys that were stamped into packages, by their hashes: a user who has such a package has the key for good. */
export const stampedKeys = sqliteTable(
  'stamped_keys',
  {
    hash: text().primaryKey(),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [index('stamped_keys_created').on(table.createdAt)],
)

export const configurations = sqliteTable(
  'configurations',
  {
    id: text().primaryKey(),
    versionId: text('version_id')
      .notNull()
      .references(() => versions.id, { onDelete: 'restrict' }),
    type: text().$type<Configuration['type']>().notNull(),
    /** Empty: for all devices with the version. */
    groupId: text('group_id').notNull().default(''),
    config: text({ mode: 'json' }).$type<Configuration['config']>().notNull(),
    /** The keystore's password, wrapped. */
    secret: text(),
    revision,
    ...times,
  },
  (table) => [unique().on(table.versionId, table.type, table.groupId)],
)

/** What configurations and versions were: each revision with its author. A configuration that was removed keeps them. */
export const revisions = sqliteTable(
  'revisions',
  {
    kind: text().$type<'configuration' | 'version'>().notNull(),
    id: text().notNull(),
    revision: integer().notNull(),
    at: integer().notNull(),
    subject: text().notNull(),
    issuer: text(),
    name: text().notNull(),
    operation: text().notNull(),
    /** Of a configuration. */
    versionId: text('version_id'),
    type: text().$type<Configuration['type']>(),
    /** The group of a configuration; empty or null: it was for all. */
    groupId: text('group_id'),
    /** The config, or what a version says; null: it was removed. */
    value: text({ mode: 'json' }).$type<Configuration['config'] | VersionValue>(),
    /** The keystore's password, wrapped for the configuration. */
    secret: text(),
    /** The revision that set it. */
    secretFrom: integer('secret_from'),
  },
  (table) => [primaryKey({ columns: [table.kind, table.id, table.revision] })],
)

export const downloads = sqliteTable(
  'downloads',
  {
    versionId: text('version_id').notNull(),
    os: text().$type<Platform>().notNull(),
    day: text().notNull(),
    count: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.versionId, table.os, table.day] })],
)
