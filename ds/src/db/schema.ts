/** The tables. Times are milliseconds since 1970 (UTC), days are `YYYY-MM-DD` (UTC). */
import type {
  AuditKind,
  Configuration,
  DeviceContext,
  Fault,
  IdentityKey,
  Installer,
  Platform,
  SigningKeyUse,
  UseCase,
  UserContext,
  Verdict,
} from '@cardwire/client/protocol'
import {
  foreignKey,
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  unique,
} from 'drizzle-orm/sqlite-core'

const times = {
  createdAt: integer('created_at').notNull(),
  updatedAt: integer('updated_at').notNull(),
}

export const versions = sqliteTable('versions', {
  id: text().primaryKey(),
  /** The id without build metadata: two versions that SemVer ranks alike cannot both be registered. */
  precedence: text().notNull().unique(),
  recommended: integer({ mode: 'boolean' }).notNull(),
  mandatory: integer({ mode: 'boolean' }).notNull(),
  allowed: integer({ mode: 'boolean' }).notNull(),
  uris: text({ mode: 'json' }).$type<readonly Installer[]>().notNull(),
  /** 1 when created, one more with each update. */
  revision: integer().notNull(),
  ...times,
})

export const configurations = sqliteTable(
  'configurations',
  {
    id: text().primaryKey(),
    versionId: text('version_id')
      .notNull()
      .references(() => versions.id, { onDelete: 'restrict' }),
    type: text().$type<Configuration['type']>().notNull(),
    config: text({ mode: 'json' }).$type<Configuration['config']>().notNull(),
    /** The keystore's password, wrapped. */
    secret: text(),
    ...times,
  },
  (table) => [unique().on(table.versionId, table.type)],
)

export const organizations = sqliteTable('organizations', {
  id: text().primaryKey(),
  name: text().notNull(),
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
    ...times,
  },
  (table) => [index('labels_org').on(table.orgId)],
)

/** Who may hold API keys: a label (application) or a version (registration). */
export const consumers = sqliteTable(
  'consumers',
  {
    kind: text().$type<'application' | 'registration'>().notNull(),
    id: text().notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.kind, table.id] })],
)

/** API keys by their SHA-256 (hex); the key itself is nowhere. */
export const apiKeys = sqliteTable(
  'api_keys',
  {
    hash: text().primaryKey(),
    kind: text().$type<'application' | 'registration'>().notNull(),
    consumerId: text('consumer_id').notNull(),
    createdAt: integer('created_at').notNull(),
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

export const signingKeys = sqliteTable(
  'signing_keys',
  {
    id: text().primaryKey(),
    use: text().$type<SigningKeyUse>().notNull(),
    /** 1, 2, 3 … within a use: two who rotate at once collide instead of making two keys. */
    sequence: integer().notNull(),
    algorithm: text().$type<'ES256' | 'RS256'>().notNull(),
    publicKey: text('public_key', { mode: 'json' }).$type<JsonWebKey>().notNull(),
    /** The private key as a JWK, wrapped. */
    privateKey: text('private_key').notNull(),
    signsFrom: integer('signs_from').notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [unique().on(table.use, table.sequence)],
)

/** What the key of replies that signed said of each that was made: for devices that know no later one. None ever leaves. */
export const successions = sqliteTable('successions', {
  /** The key that was made; it may be gone by now. */
  keyId: text('key_id').primaryKey(),
  /** A compact JWS. */
  statement: text().notNull(),
  createdAt: integer('created_at').notNull(),
})

export const administrators = sqliteTable('administrators', {
  name: text().primaryKey(),
  passwordHash: text('password_hash').notNull(),
  ...times,
})

/** Logins of administrators; a refresh token names its session and the generation it belongs to. */
export const sessions = sqliteTable('sessions', {
  id: text().primaryKey(),
  administrator: text()
    .notNull()
    .references(() => administrators.name, { onDelete: 'cascade' }),
  generation: integer().notNull(),
  expiresAt: integer('expires_at').notNull(),
  createdAt: integer('created_at').notNull(),
})

/** How long the next login of an account from an address has to wait. */
export const loginDelays = sqliteTable(
  'login_delays',
  {
    account: text().notNull(),
    address: text().notNull(),
    failures: integer().notNull(),
    notBefore: integer('not_before').notNull(),
  },
  (table) => [primaryKey({ columns: [table.account, table.address] })],
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

export const devices = sqliteTable(
  'devices',
  {
    id: text().primaryKey(),
    /** Thumbprint of the identity key (RFC 7638): who registers with the same key is the same device. */
    fingerprint: text().notNull().unique(),
    key: text({ mode: 'json' }).$type<IdentityKey>().notNull(),
    version: text().notNull(),
    platform: text().$type<Platform>().notNull(),
    device: text({ mode: 'json' }).$type<DeviceContext>().notNull(),
    user: text({ mode: 'json' }).$type<UserContext>().notNull(),
    blocked: integer({ mode: 'boolean' }).notNull(),
    registrations: integer().notNull(),
    registeredAt: integer('registered_at').notNull(),
    createdAt: integer('created_at').notNull(),
    /** `iat` of the newest assertion that was taken: one that is not later is a replay. */
    assertedAt: integer('asserted_at').notNull(),
    lastSeenAt: integer('last_seen_at').notNull(),
    /** The same as days since 1970: an index over what changes with every request would cost as much as the request. */
    lastSeenDay: integer('last_seen_day').notNull(),
    /** What it was told last, and how often that changed. */
    state: text(),
    revision: integer().notNull(),
    verdict: text().$type<Verdict['action']>(),
    keystore: text(),
    faults: text({ mode: 'json' }).$type<readonly Fault[]>().notNull(),
  },
  (table) => [index('devices_last_seen_day').on(table.lastSeenDay)],
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

export const counters = sqliteTable(
  'counters',
  {
    day: text().notNull(),
    label: text().notNull(),
    module: text().notNull(),
    useCase: text('use_case').$type<UseCase>().notNull(),
    /** Empty for none: null would never equal itself in the key. */
    tag: text().notNull(),
    count: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.day, table.label, table.module, table.useCase, table.tag] }),
  ],
)

/** The newest logs of a device. */
export const deviceLogs = sqliteTable('device_logs', {
  deviceId: text('device_id')
    .primaryKey()
    .references(() => devices.id, { onDelete: 'cascade' }),
  media: text().notNull(),
  /** Base64: drivers differ in how they hand out bytes. */
  bytes: text().notNull(),
  receivedAt: integer('received_at').notNull(),
})

/** What administrators changed. The migrations carry triggers that let it only grow. */
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
  (table) => [index('audit_resource').on(table.kind, table.id), index('audit_at').on(table.at)],
)
