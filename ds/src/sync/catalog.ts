/** The versions, rollouts and configurations, cached until the audit has an entry about them, and read by one request at a time. */
import { eq } from 'drizzle-orm'
import { type AuditReading, isRecent, newestSequence, prepareAuditWatch } from '../db/audit.ts'
import { type GroupRow, readGroups } from '../db/groups.ts'
import { type RolloutRow, readOpenRollouts, toPlan } from '../db/rollouts.ts'
import { audit, configurations, versions } from '../db/schema.ts'
import { createSingleFlight } from '../db/single-flight.ts'
import { leaveOutUntrusted, prepareRules } from '../rules/group.ts'
import { applyRollouts } from '../rules/rollout.ts'
import { createRolloutAdvance, type RolloutServices } from './advance-rollouts.ts'
import { createSharedReading } from './shared-reading.ts'

export type Release = typeof versions.$inferSelect
export type ConfigurationRow = typeof configurations.$inferSelect

export interface CatalogGroup extends GroupRow {
  readonly findRule: ReturnType<typeof prepareRules>
}

export interface Catalog {
  readonly releases: readonly Release[]
  /** The versions as devices see them that no rollout reaches. */
  readonly offered: readonly Release[]
  /** Those that are not finished. */
  readonly rollouts: readonly RolloutRow[]
  /** The one that decides comes first. */
  readonly groups: readonly CatalogGroup[]
  getConfigurations(version: string): Promise<readonly ConfigurationRow[]>
  /** The cached result of `make` for this catalog, by name. */
  memo<T>(name: string, make: () => Promise<T>): Promise<T>
}

/** Returns the catalog. `reading` is of the same request: where there is none, or an old one, the audit is read. */
export type ReadCatalog = (reading?: AuditReading) => Promise<Catalog>

/** How long the catalog is cached, in milliseconds: files of the packages folder change without an entry in the audit. */
const maxAgeMs = 30_000

export function createCatalogReader(services: RolloutServices): ReadCatalog {
  const { db, clock } = services
  const advanceRollouts = createRolloutAdvance(services)
  const selectNewest = db.select({ sequence: newestSequence }).from(audit).limit(1).prepare()
  const startReading = createSharedReading(clock, {
    read,
    isChangedSince: prepareAuditWatch(db, [
      'version',
      'rollout',
      'group',
      'configuration',
      'installer',
      'keystore',
    ]),
    maxAgeMs,
  })

  return async (reading) => {
    const arrivedAt = clock()
    const share = startReading()
    // Read before the rows: a change in between makes the next call read them again.
    const sequence =
      reading && isRecent(reading, arrivedAt)
        ? reading.sequence
        : ((await selectNewest.get())?.sequence ?? null)
    return share(sequence)
  }

  async function read(): Promise<Catalog> {
    const open = await readOpenRollouts(db)
    const rollouts = (await advanceRollouts(open)) ? await readOpenRollouts(db) : open
    return createCatalog(await db.select().from(versions), rollouts, await readGroups(db))
  }

  function createCatalog(
    releases: readonly Release[],
    rollouts: readonly RolloutRow[],
    groups: readonly GroupRow[],
  ): Catalog {
    const results = new Map<string, unknown>()
    const singleFlight = createSingleFlight(clock)
    const memo = <T>(name: string, make: () => Promise<T>): Promise<T> =>
      singleFlight(
        name,
        () => (results.has(name) ? { value: results.get(name) as T } : undefined),
        async () => {
          const value = await make()
          results.set(name, value)
          return value
        },
      )
    return {
      releases,
      offered: applyRollouts(releases, rollouts.map(toPlan)),
      rollouts,
      groups: groups.map((group) => ({ ...group, findRule: prepareRules(group.rules) })),
      memo,
      getConfigurations: (version) =>
        memo(`configurations of ${version}`, async () => {
          const isOfVersion = eq(configurations.versionId, version)
          const rows = await db.select().from(configurations).where(isOfVersion)
          return leaveOutUntrusted(rows, groups)
        }),
    }
  }
}
