/** When the keystores of versions expire, as their configurations say. */
import { eq, type SQL, sql } from 'drizzle-orm'
import type { Database } from './database.ts'
import { configurations } from './schema.ts'

/** The other configurations weigh up to 1 MiB each. */
export const isKeystore = eq(configurations.type, 'SSL_KEYSTORE')

/** ISO 8601, UTC; null where the service has not opened the keystore. */
export function selectExpiry({ sqlDialect }: Pick<Database, 'sqlDialect'>): SQL<string | null> {
  const certificate = sqlDialect.getField(configurations.config, 'certificate')
  return sql<string | null>`${sqlDialect.getField(certificate, 'notAfter')}`
}
