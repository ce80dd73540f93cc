/** Administrators, and their sign-ins. */
import type { Role } from '@cardwire/protocol'
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { times } from './columns.ts'

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
    /** A hash of the name that was typed. */
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
