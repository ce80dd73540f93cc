/** The entries of all allowlists, for preflights: a set, which one request reads again after the audit has an entry about a configuration. */
import { eq, sql } from 'drizzle-orm'
import { newestSequence, prepareAuditWatch } from '../db/audit.ts'
import { audit, configurations } from '../db/schema.ts'
import type { Services } from '../services.ts'
import { createSharedReading } from './shared-reading.ts'

/** Strangers ask: reading takes a tenth of a second where there are many, so it never happens twice at once. */
export function createAllowedOriginsReader({
  db,
  clock,
}: Pick<Services, 'db' | 'clock'>): () => Promise<ReadonlySet<string>> {
  const selectNewest = db.select({ sequence: newestSequence }).from(audit).limit(1).prepare()
  const startReading = createSharedReading(clock, {
    read,
    isChangedSince: prepareAuditWatch(db, ['configuration']),
  })

  return async () => {
    const share = startReading()
    return share((await selectNewest.get())?.sequence ?? null)
  }

  async function read(): Promise<ReadonlySet<string>> {
    const rows = await db
      .selectDistinct({ value: sql<string>`entry.value` })
      .from(
        sql`${configurations}, ${db.sqlDialect.eachText(configurations.config, 'cors')} as entry`,
      )
      .where(eq(configurations.type, 'CONTEXT_CONFIG'))
    return new Set(rows.map((row) => row.value))
  }
}
