/** The history of configurations and versions: lists revisions, shows one, restores one. */
import {
  ConfigurationInput,
  type ConfigurationRevision,
  getConfigurationRevision,
  getVersionRevision,
  listConfigurationRevisions,
  listVersionRevisions,
  Problem,
  restoreConfiguration,
  restoreVersion,
  type VersionRevision,
} from '@cardwire/protocol'
import { and, desc, eq, sql } from 'drizzle-orm'
import { revisions } from '../db/schema.ts'
import type { Bind } from '../http/bind.ts'
import { requireNoRevision } from '../http/preconditions.ts'
import { findPackage, isFileUri } from '../packages/packages.ts'
import { createConfigurationUnknownProblem } from '../rules/problems.ts'
import type { Services } from '../services.ts'
import { listMissingFiles } from './check-version.ts'
import { type Content, examineContent } from './configuration-content.ts'
import { toConfiguration } from './configurations.ts'
import { limitAffected, readConfigurationReach } from './count-affected.ts'
import { requireGroup } from './groups.ts'
import {
  describe,
  insertConfiguration,
  requireFree,
  requireRoom,
  updateConfiguration,
} from './store-configuration.ts'
import { createVersionStore } from './store-version.ts'
import { findVersion, toVersion } from './versions.ts'

type Row = typeof revisions.$inferSelect
type Kind = Row['kind']
type Paging = { readonly page: number; readonly size: number }

export function bindHistoryRoutes(bind: Bind, services: Services): void {
  bindConfigurationHistory(bind, services)
  bindVersionHistory(bind, services)
}

function bindConfigurationHistory(bind: Bind, services: Services): void {
  bind(listConfigurationRevisions, async ({ params: { id }, query }) => {
    const list = await listRevisions(services, 'configuration', id, query)
    if (list.total === 0) throw createConfigurationUnknownProblem(id)
    return { data: list }
  })

  bind(getConfigurationRevision, async ({ params: { id, revision } }) => {
    await findNewest(services, id)
    const wanted = toConfigurationRevision(
      await findRevision(services, 'configuration', id, revision),
    )
    const missingFiles = await listMissingKeystores(services, wanted)
    return { data: { ...wanted, ...(missingFiles.length > 0 && { missingFiles }) } }
  })

  bind(
    restoreConfiguration,
    async ({ params: { id, revision }, query, headers, audit }, context) => {
      const condition = headers['if-match']
      const newest = await findNewest(services, id)
      const wanted = await findRevision(services, 'configuration', id, revision)
      const { type, versionId, content: saved } = readConfiguration(wanted)
      const { signal } = context.req.raw
      const content = await examineContent({ ...services, signal }, id, saved)
      const groupId = newest.groupId ?? ''
      if (groupId !== '') await requireGroup(services, groupId, type)
      if (newest.value === null) await requireFree(services.db, versionId, [{ type, groupId }])
      await requireRoom(services.db, versionId, [{ id, ...content }])
      await limitAffected(
        services,
        query.maxReach,
        async () => (await readConfigurationReach(services, versionId, [type], groupId)).reach,
      )
      if (newest.value !== null) {
        const identity = { id, type, versionId, groupId }
        const row = await updateConfiguration(services, identity, content, condition, audit)
        return { data: toConfiguration(row) }
      }
      requireNoRevision(describe(id), condition)
      const again = { id, type, versionId, groupId, revision: newest.revision + 1 }
      return { data: toConfiguration(await insertConfiguration(services, again, content, audit)) }
    },
  )
}

function bindVersionHistory(bind: Bind, services: Services): void {
  const store = createVersionStore(services)

  bind(listVersionRevisions, async ({ params: { id }, query }) => {
    await findVersion(services, id)
    return { data: await listRevisions(services, 'version', id, query) }
  })

  bind(getVersionRevision, async ({ params: { id, revision } }) => {
    const now = await findVersion(services, id)
    const wanted = toVersionRevision(await findRevision(services, 'version', id, revision))
    const missing = await listMissingFiles(services, wanted.uris, now.uris)
    const missingFiles = missing.map(({ uri }) => uri)
    return { data: { ...wanted, ...(missingFiles.length > 0 && { missingFiles }) } }
  })

  bind(restoreVersion, async ({ params: { id, revision }, query, headers, audit }) => {
    const now = await findVersion(services, id)
    const { recommended, mandatory, allowed, uris } = toVersionRevision(
      await findRevision(services, 'version', id, revision),
    )
    const condition = headers['if-match'] ?? [now.revision]
    const restored = { id, recommended, mandatory, allowed, uris }
    const { row } = await store(restored, { ...query, condition, audit })
    return { data: toVersion(row) }
  })
}

/** A page of the history, without values: a configuration may be large. */
async function listRevisions(
  { reader }: Pick<Services, 'reader'>,
  kind: Kind,
  id: string,
  { page, size }: Paging,
) {
  const where = isOf(kind, id)
  const { revision, at, subject, issuer, name, operation, value } = revisions
  const rows = await reader
    .select({
      ...{ revision, at, subject, issuer, name, operation },
      isRemoved: sql<number | boolean>`${value} is null`,
    })
    .from(revisions)
    .where(where)
    .orderBy(desc(revision))
    .limit(size)
    .offset((page - 1) * size)
  const items = rows.map(({ isRemoved, ...row }) => toEntry(row, Boolean(isRemoved)))
  return { items, page, size, total: await reader.$count(revisions, where) }
}

const isOf = (kind: Kind, id: string) => and(eq(revisions.kind, kind), eq(revisions.id, id))

/** The newest revision of a configuration that is or was there. */
async function findNewest({ db }: Pick<Services, 'db'>, id: string): Promise<Row> {
  const [row] = await db
    .select()
    .from(revisions)
    .where(isOf('configuration', id))
    .orderBy(desc(revisions.revision))
    .limit(1)
  if (!row) throw createConfigurationUnknownProblem(id)
  return row
}

async function findRevision(
  { db }: Pick<Services, 'db'>,
  kind: Kind,
  id: string,
  revision: number,
): Promise<Row> {
  const [row] = await db
    .select()
    .from(revisions)
    .where(and(isOf(kind, id), eq(revisions.revision, revision)))
  if (row) return row
  throw new Problem(
    'revision-unknown',
    `Cannot find revision ${revision} of ${kind} "${id}": the service keeps only the newest ones`,
  )
}

type Entry = Pick<Row, 'revision' | 'at' | 'subject' | 'issuer' | 'name' | 'operation'>

const toEntry = (
  { revision, at, subject, issuer, name, operation }: Entry,
  isRemoved: boolean,
) => ({
  revision,
  at: new Date(at).toISOString(),
  who: { subject, ...(issuer !== null && { issuer }), name },
  operation,
  ...(isRemoved && { removed: true as const }),
})

function toConfigurationRevision(row: Row): ConfigurationRevision {
  const { id, type, versionId, groupId, value, secretFrom } = row
  return {
    ...{ id, type, versionId },
    ...(groupId && { groupId }),
    ...toEntry(row, value === null),
    ...(value !== null && { config: value }),
    ...(secretFrom !== null && { passwordFrom: secretFrom }),
    // The column holds the value of this type; TypeScript cannot know that they belong together.
  } as ConfigurationRevision
}

/** The file of a keystore, where it is gone. */
async function listMissingKeystores(
  { keystores }: Pick<Services, 'keystores'>,
  { config }: ConfigurationRevision,
): Promise<string[]> {
  if (config === undefined || !('uri' in config) || !isFileUri(config.uri)) return []
  return (await findPackage(keystores, config.uri)) ? [] : [config.uri]
}

/** What a revision of a configuration saved, if this version of the service would take it. */
function readConfiguration(row: Row) {
  const { id, type, versionId, value, secret, revision } = row
  const config = secret === null ? value : { ...value, password: '' }
  if (value !== null && ConfigurationInput.safeParse({ id, type, versionId, config }).success) {
    const content = { config: value, secret } as Content
    return { type, versionId, content } as Pick<ConfigurationInput, 'type' | 'versionId'> & {
      readonly content: Content
    }
  }
  throw new Problem(
    'revision-unknown',
    value === null
      ? `Cannot restore revision ${revision}: it is the removal of the configuration, choose an earlier one`
      : `Cannot restore revision ${revision}: this version of the service cannot use its value, choose a different revision`,
  )
}

function toVersionRevision(row: Row): VersionRevision {
  const { id, value } = row
  return {
    id,
    ...toEntry(row, false),
    ...(value as Pick<VersionRevision, 'recommended' | 'mandatory' | 'allowed' | 'uris'>),
  }
}
