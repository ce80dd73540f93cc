/** API clients, and the credentials that they get access tokens with. */
import type { ClientCredential, Role } from '@cardwire/protocol'
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { JWK } from 'jose'
import { times } from './columns.ts'

export const apiClients = sqliteTable('api_clients', {
  id: text().primaryKey(),
  role: text().$type<Role>().notNull(),
  description: text(),
  /** It gets no access from then on; null: no end. */
  expiresAt: integer('expires_at'),
  /** When it last got an access token. */
  usedAt: integer('used_at'),
  ...times,
})

/** The tokens of another issuer that a credential trusts. */
export interface Trust {
  readonly issuer: string
  /** A text, or a pattern with `*`. */
  readonly subject: string
  readonly audience?: string | undefined
  readonly claims?: Readonly<Record<string, string>> | undefined
}

export const apiClientCredentials = sqliteTable(
  'api_client_credentials',
  {
    id: text().primaryKey(),
    client: text()
      .notNull()
      .references(() => apiClients.id, { onDelete: 'cascade' }),
    kind: text().$type<ClientCredential['kind']>().notNull(),
    /** Of a secret its SHA-256, of a key its thumbprint. */
    digest: text(),
    /** Of a key. */
    jwk: text({ mode: 'json' }).$type<JWK>(),
    /** Of a federated one. */
    trust: text({ mode: 'json' }).$type<Trust>(),
    expiresAt: integer('expires_at'),
    usedAt: integer('used_at'),
    createdAt: integer('created_at').notNull(),
    /** The name of the administrator. */
    createdBy: text('created_by').notNull(),
  },
  (table) => [index('api_client_credentials_client').on(table.client, table.createdAt)],
)

/** Client assertions that were used, until they expire: each works once. */
export const clientAssertions = sqliteTable(
  'client_assertions',
  {
    /** The SHA-256 of the credential and the `jti`. */
    hash: text().primaryKey(),
    expiresAt: integer('expires_at').notNull(),
  },
  (table) => [index('client_assertions_expires').on(table.expiresAt)],
)
