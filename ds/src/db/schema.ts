/** The tables. Times are milliseconds since 1970 (UTC), days are `YYYY-MM-DD` (UTC). */
import type {
  AuditKind,
  Configuration,
  DeviceChange,
  DeviceContext,
  Fault,
  IdentityKey,
  Installer,
  Platform,
  ProblemName,
  Role,
  SigningKeyUse,
  UseCase,
  UserContext,
  Verdict,
  Version,
} from '@cardwire/client/protocol'
import { sql } from 'drizzle-orm'
import {
  foreignKey,
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  unique,
} from 'drizzle-orm/sqlite-core'

/** What a version says, as its history keeps it. */
type VersionValue = Pick<Version, 'recommended' | 'mandatory' | 'allowed' | 'uris'>

const times = {
  createdAt: integer('created_at').notNull(),
  updatedAt: integer('updated_at').notNull(),
}

/** 1 when created, one more with each update. */
const revision = integer().notNull().default(1)

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
    revision,
    ...times,
  },
  (table) => [unique().on(table.versionId, table.type)],
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
    /** The config, or what a version says; null: it was removed. */
    value: text({ mode: 'json' }).$type<Configuration['config'] | VersionValue>(),
    /** The keystore's password, wrapped for the configuration. */
    secret: text(),
    /** The revision that set it. */
    secretFrom: integer('secret_from'),
  },
  (table) => [primaryKey({ columns: [table.kind, table.id, table.revision] })],
)

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

/** API keys by their SHA-256 (hex); the keys themselves are not stored. */
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
    /** 1, 2, 3 … within a use: of two rotations at once the second violates the constraint instead of adding a key. */
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

/** The endorsement of each key of replies by the one before, for devices that know no later one; the newest 4,096. */
export const successions = sqliteTable('successions', {
  /** The endorsed key; it may be deleted by now. */
  keyId: text('key_id').primaryKey(),
  /** A compact JWS. */
  statement: text().notNull(),
  createdAt: integer('created_at').notNull(),
})

export const administrators = sqliteTable('administrators', {
  name: text().primaryKey(),
  passwordHash: text('password_hash').notNull(),
  role: text().$type<Role>().notNull().default('administrator'),
  /** The secret of its second factor, wrapped. */
  totpSecret: text('totp_secret'),
  /** The newest time step of which a code was accepted (RFC 6238 §5.2); null until the first one has confirmed the secret. */
  totpStep: integer('totp_step'),
  /** Whether someone else set the password: its owner has to change it before anything else. */
  passwordDue: integer('password_due', { mode: 'boolean' }).notNull().default(false),
  ...times,
})

/** The recovery codes of second factors, by the SHA-256 of account and code. A used one stays until the codes are replaced. */
export const recoveryCodes = sqliteTable(
  'recovery_codes',
  {
    hash: text().primaryKey(),
    administrator: text()
      .notNull()
      .references(() => administrators.name, { onDelete: 'cascade' }),
    usedAt: integer('used_at'),
    usedFrom: text('used_from'),
  },
  (table) => [index('recovery_codes_administrator').on(table.administrator)],
)

/** Logins of administrators; a refresh token contains its session and generation. */
export const sessions = sqliteTable(
  'sessions',
  {
    id: text().primaryKey(),
    administrator: text()
      .notNull()
      .references(() => administrators.name, { onDelete: 'cascade' }),
    generation: integer().notNull(),
    expiresAt: integer('expires_at').notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [index('sessions_administrator').on(table.administrator, table.createdAt)],
)

/** Logins of administrators in browsers, by the SHA-256 of what their cookie holds. */
export const browserSessions = sqliteTable(
  'browser_sessions',
  {
    /** Names the session where its owner sees it; no secret. */
    id: text().primaryKey(),
    hash: text().notNull().unique(),
    /** The account of the embedded provider; null for one of an external provider. */
    administrator: text().references(() => administrators.name, { onDelete: 'cascade' }),
    /** The identity that the provider names. */
    subject: text().notNull(),
    name: text().notNull(),
    /** The tokens of an external provider, wrapped. */
    tokens: text(),
    /** Until then one request renews the tokens. */
    renewsUntil: integer('renews_until'),
    address: text().notNull(),
    userAgent: text('user_agent').notNull(),
    createdAt: integer('created_at').notNull(),
    /** Written once a minute at most. */
    lastUsedAt: integer('last_used_at').notNull(),
    expiresAt: integer('expires_at').notNull(),
  },
  (table) => [index('browser_sessions_subject').on(table.subject, table.createdAt)],
)

/** The last sign-in of each user of an external provider; the newest 1,000. */
export const signIns = sqliteTable(
  'sign_ins',
  {
    subject: text().primaryKey(),
    name: text().notNull(),
    /** As the provider gave it then. */
    role: text().$type<Role>().notNull(),
    ...times,
  },
  (table) => [index('sign_ins_updated').on(table.updatedAt)],
)

/** How long the next login of an account from an address has to wait. */
export const loginDelays = sqliteTable(
  'login_delays',
  {
    account: text().notNull(),
    address: text().notNull(),
    failures: integer().notNull(),
    notBefore: integer('not_before').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.account, table.address] }),
    // Strangers add rows: those that are over, and those beyond a limit, are found without reading the others.
    index('login_delays_not_before').on(table.notBefore),
    index('login_delays_address').on(table.address, table.notBefore),
  ],
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
  },
  (table) => [index('device_changes_created_at').on(table.createdAt)],
)

/** The devices of these changes, but for those that were removed. */
export const changedDevices = sqliteTable(
  'changed_devices',
  {
    changeId: text('change_id').notNull(),
    deviceId: text('device_id').notNull(),
  },
  (table) => [primaryKey({ columns: [table.changeId, table.deviceId] })],
)

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

/** What was used of the limits of a day. */
export const quotas = sqliteTable(
  'quotas',
  {
    /** What is limited, and whose limit it is. */
    subject: text().notNull(),
    day: integer().notNull(),
    used: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.subject, table.day] })],
)

/** The days on which the clock was read, as days since 1970; one row. */
export const clockReadings = sqliteTable('clock_readings', {
  id: integer().primaryKey(),
  /** The last one. */
  day: integer().notNull(),
  /** Since this one the clock has not jumped. */
  steadySince: integer('steady_since').notNull(),
})

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
  (table) => [index('audit_resource').on(table.kind, table.id), index('audit_at').on(table.at)],
)
