/** The versions and configurations, cached until the audit has a new entry. */
import { eq } from 'drizzle-orm'
import { type AuditReading, isRecent, newestSequence } from '../db/audit.ts'
import { audit, configurations, versions } from '../db/schema.ts'
import type { Services } from '../services.ts'

export type Release = typeof versions.$inferSelect
export type ConfigurationRow = typeof configurations.$inferSelect

export interface Catalog {
  readonly releases: readonly Release[]
  getConfigurations(version: string): Promise<readonly ConfigurationRow[]>
  /** The cached result of `make` for this catalog, by name. */
  memo<T>(name: string, make: () => Promise<T>): Promise<T>
}

/** Returns the catalog. `reading` is of the same request: where there is none, or an old one, the audit is read. */
export type ReadCatalog = (reading?: AuditReading) => Promise<Catalog>

/** How long the catalog is cached, in milliseconds: files of the packages folder change without an entry in the audit. */
const maxAgeMs = 30_000

export function createCatalogReader({ db, clock }: Pick<Services, 'db' | 'clock'>): ReadCatalog {
  const selectNewest = db.select({ sequence: newestSequence }).from(audit).limit(1).prepare()
  let cached: { sequence: number | null; readAt: number; catalog: Catalog } | undefined

  return async (reading) => {
    const now = clock()
    // Read before the rows: a change in between makes the next call read them again.
    const sequence =
      reading && isRecent(reading, now)
        ? reading.sequence
        : ((await selectNewest.get())?.sequence ?? null)
    if (cached?.sequence === sequence && Math.abs(now - cached.readAt) < maxAgeMs)
      return cached.catalog
    const releases = await db.select().from(versions)
    cached = { sequence, readAt: now, catalog: createCatalog(releases) }
    return cached.catalog
  }

  function createCatalog(releases: readonly Release[]): Catalog {
    const results = new Map<string, unknown>()
    const memo = async <T>(name: string, make: () => Promise<T>): Promise<T> => {
      // The value, never the promise of it: on Workers a promise ends with the request that made it.
      if (!results.has(name)) results.set(name, await make())
      return results.get(name) as T
    }
    return {
      releases,
      memo,
      getConfigurations: (version) =>
        memo(`configurations of ${version}`, () =>
          db.select().from(configurations).where(eq(configurations.versionId, version)),
        ),
    }
  }
}
