/** Reads what the audit has gained, as far as it may be news for devices that wait. */
import { and, asc, eq, gt, sql } from 'drizzle-orm'
import type { NewsEntry } from '../rules/news.ts'
import { newestSequence } from './audit.ts'
import type { Database } from './database.ts'
import { audit, configurations } from './schema.ts'

export interface NewsReading {
  /** The number of the newest entry; 0 while there is none. */
  readNewest(): Promise<number>
  /** At most so many entries behind one, in their order. */
  readSince(since: number): PromiseLike<readonly NewsEntry[]>
}

export function prepareNewsReading(db: Database, limit: number): NewsReading {
  const selectNewest = db.select({ sequence: newestSequence }).from(audit).limit(1).prepare()
  const select = db
    .select({
      sequence: audit.sequence,
      kind: audit.kind,
      id: audit.id,
      operation: audit.operation,
      fields: audit.fields,
      versionId: configurations.versionId,
    })
    .from(audit)
    .leftJoin(configurations, and(eq(configurations.id, audit.id), eq(audit.kind, 'configuration')))
    .where(gt(audit.sequence, sql.placeholder('since')))
    .orderBy(asc(audit.sequence))
    .limit(limit)
    .prepare()
  return {
    readNewest: async () => (await selectNewest.get())?.sequence ?? 0,
    readSince: (since) => select.all({ since }),
  }
}
