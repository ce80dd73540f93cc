/** What administrators registered, kept in memory until the audit says that something changed. */
import { eq, max } from 'drizzle-orm'
import { audit, configurations, versions } from '../db/schema.ts'
import type { Services } from '../services.ts'

export type Release = typeof versions.$inferSelect
export type ConfigurationRow = typeof configurations.$inferSelect

export interface Catalog {
  readonly releases: readonly Release[]
  configurationsOf(version: string): Promise<readonly ConfigurationRow[]>
  /** What was made of this catalog before, under this name. */
  memo<T>(name: string, make: () => Promise<T>): Promise<T>
}

/** Files of the packages folder change without an entry in the audit: nothing is kept longer, in milliseconds. */
const longestMs = 30_000

export function catalogs({ db, clock }: Pick<Services, 'db' | 'clock'>): () => Promise<Catalog> {
  const newest = db
    .select({ sequence: max(audit.sequence) })
    .from(audit)
    .prepare()
  let kept: { sequence: number | null; readAt: number; catalog: Catalog } | undefined

  return async () => {
    // Before the rows: what changes in between is read again next time.
    const sequence = (await newest.get())?.sequence ?? null
    const now = clock()
    if (kept?.sequence === sequence && Math.abs(now - kept.readAt) < longestMs) return kept.catalog
    const releases = await db.select().from(versions)
    kept = { sequence, readAt: now, catalog: catalogOf(releases) }
    return kept.catalog
  }

  function catalogOf(releases: readonly Release[]): Catalog {
    const made = new Map<string, unknown>()
    const memo = async <T>(name: string, make: () => Promise<T>): Promise<T> => {
      // The value, never its making: on Workers a promise dies with the request that made it.
      if (!made.has(name)) made.set(name, await make())
      return made.get(name) as T
    }
    return {
      releases,
      memo,
      configurationsOf: (version) =>
        memo(`configurations of ${version}`, () =>
          db.select().from(configurations).where(eq(configurations.versionId, version)),
        ),
    }
  }
}
