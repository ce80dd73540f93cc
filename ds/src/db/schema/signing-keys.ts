/** The keys that the service signs with. */
import type { SigningKeyUse } from '@cardwire/protocol'
import { integer, sqliteTable, text, unique } from 'drizzle-orm/sqlite-core'

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
