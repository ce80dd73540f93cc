/** Stores a version that is new or changed, and gives it its installation key. */
import { Problem, type RevisionCondition, type VersionInput } from '@cardwire/protocol'
import { and, eq, not, or, sql } from 'drizzle-orm'
import { exists, isDistinctFrom, type OperationAudit, selectChangedFields } from '../db/audit.ts'
import { explainCondition, requireInBatch } from '../db/batch-conditions.ts'
import { mapConstraintError } from '../db/constraint-error.ts'
import { forgetAddedVersion, forgetEarlier, keepRevision, nextRevision } from '../db/revisions.ts'
import { configurations, versions } from '../db/schema.ts'
import { createConsumerKeys } from '../gateway/consumer-keys.ts'
import {
  createRevisionProblem,
  matchesRevision,
  requireNoRevision,
  requireRevision,
} from '../http/preconditions.ts'
import { requirePrecedence } from '../rules/problems.ts'
import type { Services } from '../services.ts'
import { requireAllowlist, requireInstallerFiles, requireInstallers } from './check-version.ts'
import { limitAffected, readAffectedDevices } from './count-affected.ts'
import { keepInstallationKey } from './embed-settings.ts'
import { createCopyProblem, prepareCopies } from './store-configuration.ts'
import {
  createRolloutProblem,
  isWithoutRollout,
  offeringOnly,
  requireNoRollout,
} from './version-rollout.ts'

export type Row = typeof versions.$inferSelect

/** The fields that the audit names; the installation key has entries of its own. */
export const auditedFields = ['recommended', 'mandatory', 'allowed', 'uris']

export const describe = (id: string) => `version "${id}"`

type VersionRow = Omit<VersionInput, 'installationApiKey' | 'revision'>

interface StoreOptions {
  /** Even if devices stop with nothing to update to, or update to a version without an allowlist. */
  readonly force?: boolean | undefined
  /** It must not reach more devices than these. */
  readonly maxReach?: number | undefined
  /** The version whose configurations are copied to it. */
  readonly copyFrom?: string | undefined
  readonly condition: RevisionCondition | undefined
  readonly audit: OperationAudit
}

interface StoredVersion {
  readonly row: Row
  readonly created: boolean
  /** Only when it has just got it. */
  readonly installationApiKey?: string | undefined
}

export function createVersionStore(services: Services) {
  const { random, gateway } = services
  const keys = createConsumerKeys(gateway, random)

  return async (
    { installationApiKey: key, revision: _, ...version }: VersionInput,
    { force, maxReach, copyFrom, condition, audit }: StoreOptions,
  ): Promise<StoredVersion> => {
    const { id } = version
    const precedence = requirePrecedence(id)
    const consumer = { kind: 'registration', id } as const
    const before = await readVersion(services, id)
    if (before) requireRevision(describe(id), condition, before.revision)
    else requireNoRevision(describe(id), condition)
    if (before && copyFrom !== undefined) throw createCopyLateProblem(id)
    await requireUndecided(services, version, before)
    await requireInstallerFiles(services, version.uris, before?.uris)
    if (version.mandatory && !force) await requireInstallers(services, version)
    if (!force) await requireAllowlist(services, { ...version, copyFrom })
    const copied =
      copyFrom === undefined
        ? undefined
        : await prepareCopies(services, { from: copyFrom, to: id }, audit)
    if (!before) await requireFreePrecedence(services, id, precedence)
    await keys.requireFree(consumer, key)
    await limitAffected(
      services,
      maxReach,
      async () => (await readAffectedDevices(services, id, version)).reach,
    )
    const keyEntry = audit.createEntry('version', id, ['installationApiKey'])
    const replaceKey = async () => key && (await keys.replace(consumer, key, 0, keyEntry))
    // With a condition the row first, so that one of two requests goes on; else the key, whose refusal changes nothing.
    const replaced = before && condition === undefined ? await replaceKey() : undefined
    const row = await explainRollout(
      services,
      version,
      condition === undefined
        ? upsert(services, version, { precedence, copied }, audit)
        : update(services, version, condition, audit),
    )
    const created = row.revision === 1
    const installationApiKey = created
      ? await keys.create(consumer, key, createUndo(services, id, audit, copied), keyEntry)
      : replaced || (await replaceKey()) || undefined
    if (installationApiKey) await keepInstallationKey(services, id, installationApiKey)
    return { row, created, installationApiKey }
  }
}

/** Throws `version-in-rollout` where a rollout decides about what changes. */
async function requireUndecided(
  services: Pick<Services, 'db'>,
  version: VersionRow,
  before: Row | undefined,
): Promise<void> {
  if (version.recommended || version.mandatory)
    await requireNoRollout(services, version.id, 'recommend or require')
  // Devices that a rollout reaches are offered its installers, whatever the flags say.
  if (before && JSON.stringify(before.uris) !== JSON.stringify(version.uris))
    await requireNoRollout(services, version.id, 'change the installers of', offeringOnly)
}

/** The same, for the batch of the change: a rollout may have started since. Stands before the change. */
const requireUndecidedInBatch = (
  db: Services['db'],
  { id, recommended, mandatory, uris }: VersionRow,
) => {
  const hasUris = and(eq(versions.id, id), not(isDistinctFrom(versions.uris, uris)))
  const isFree = recommended || mandatory ? isWithoutRollout(id) : undefined
  return requireInBatch(
    db,
    sql`${and(isFree, or(exists(versions, hasUris), isWithoutRollout(id, offeringOnly)))}`,
  )
}

/** Awaits the batch, and says which rollout has started since. */
const explainRollout = <T>(
  services: Pick<Services, 'db'>,
  version: VersionRow,
  write: PromiseLike<T>,
) =>
  explainCondition(write, async () => {
    const { id } = version
    await requireUndecided(services, version, await readVersion(services, id))
    return createRolloutProblem(id, 'change')
  })

async function readVersion({ db }: Pick<Services, 'db'>, id: string): Promise<Row | undefined> {
  const [row] = await db.select().from(versions).where(eq(versions.id, id))
  return row
}

type Copied = Awaited<ReturnType<typeof prepareCopies>>

type RowServices = Pick<Services, 'db' | 'clock' | 'settings'>

async function upsert(
  services: RowServices,
  version: VersionRow,
  { precedence, copied }: { readonly precedence: string; readonly copied?: Copied | undefined },
  audit: OperationAudit,
): Promise<Row> {
  const { db, clock } = services
  const { id, ...changes } = version
  const now = clock()
  const [, , , [stored]] = await mapConstraintError(
    db.batch([
      requireUndecidedInBatch(db, version),
      createEntry(id, changes, undefined, audit).toStatement(),
      forgetEarlier(db, id),
      db
        .insert(versions)
        .values({ ...version, precedence, revision: 1, createdAt: now, updatedAt: now })
        .onConflictDoUpdate({
          target: versions.id,
          set: { ...changes, updatedAt: now, revision: nextRevision(versions.revision) },
        })
        .returning(),
      ...keep(services, version, audit),
      ...(copied?.statements ?? []),
    ]),
    async (refused) => {
      if (copied && !(refused.kind === 'unique' && refused.table === 'versions'))
        return createCopyProblem(db, refused, id, copied.copies)
      const [other] = await db.select().from(versions).where(eq(versions.precedence, precedence))
      return createPrecedenceProblem(id, other?.id)
    },
  )
  if (!stored) throw new Error(`Cannot store version "${id}": no row came back`)
  return stored
}

async function update(
  services: RowServices,
  version: VersionRow,
  condition: RevisionCondition,
  audit: OperationAudit,
): Promise<Row> {
  const { db, clock } = services
  const { id, ...changes } = version
  const mine = and(eq(versions.id, id), matchesRevision(versions.revision, condition))
  const [, , [stored]] = await db.batch([
    requireUndecidedInBatch(db, version),
    createEntry(id, changes, condition, audit).toStatement(exists(versions, mine)),
    db
      .update(versions)
      .set({ ...changes, updatedAt: clock(), revision: nextRevision(versions.revision) })
      .where(mine)
      .returning(),
    ...keep(services, version, audit),
  ])
  if (stored) return stored
  throw createRevisionProblem(describe(id), (await readVersion(services, id))?.revision)
}

/** What the change saves becomes part of the version's history. */
const keep = (
  services: RowServices,
  { id, recommended, mandatory, allowed, uris }: VersionRow,
  { author }: OperationAudit,
) =>
  keepRevision(
    services,
    versions,
    { kind: 'version', id, value: { recommended, mandatory, allowed, uris } },
    author,
  )

function createEntry(
  id: string,
  { recommended, mandatory, allowed, uris }: Omit<VersionRow, 'id'>,
  condition: RevisionCondition | undefined,
  audit: OperationAudit,
) {
  const mine = and(eq(versions.id, id), matchesRevision(versions.revision, condition))
  const fields = selectChangedFields(versions, mine, {
    recommended: isDistinctFrom(versions.recommended, recommended),
    mandatory: isDistinctFrom(versions.mandatory, mandatory),
    allowed: isDistinctFrom(versions.allowed, allowed),
    uris: isDistinctFrom(versions.uris, uris),
  })
  return audit.createEntry('version', id, fields)
}

/** What takes a new version back, as long as it is unchanged. */
function createUndo(
  { db }: Pick<Services, 'db'>,
  id: string,
  audit: OperationAudit,
  copied: Copied | undefined,
) {
  const mine = and(eq(versions.id, id), eq(versions.revision, 1))
  const entry = audit.createUndoEntry('version', id, auditedFields)
  return {
    undo: () =>
      db.batch([
        entry.toStatement(exists(versions, mine)),
        forgetAddedVersion(db, id, exists(versions, mine)),
        ...(copied?.copies ?? []).flatMap((copy) => [
          audit.createUndoEntry('configuration', copy.id, ['config']).toStatement(),
          db
            .delete(configurations)
            .where(and(eq(configurations.id, copy.id), exists(versions, mine))),
        ]),
        db.delete(versions).where(mine),
      ]),
    isUnchanged: async () => (await db.$count(versions, mine)) === 1,
  }
}

/** The table refuses it too, but only once the change was confirmed. */
async function requireFreePrecedence({ db }: RowServices, id: string, precedence: string) {
  const [other] = await db.select().from(versions).where(eq(versions.precedence, precedence))
  // The same version, registered at this moment: it is changed.
  if (other && other.id !== id) throw createPrecedenceProblem(id, other.id)
}

const createPrecedenceProblem = (id: string, other: string | undefined) =>
  new Problem(
    'version-taken',
    `Cannot register version "${id}": "${other}" differs only in build metadata`,
  )

const createCopyLateProblem = (id: string) =>
  new Problem(
    'version-taken',
    `Cannot copy configurations to version "${id}" with ?copyFrom=: it is registered, use POST /v3/configurations/copy`,
  )
