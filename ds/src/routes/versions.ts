/** Versions of the connector. */
import {
  deleteVersion,
  getVersion,
  type Installer,
  latestVersion,
  listVersions,
  Problem,
  patchVersion,
  putVersion,
} from '@cardwire/protocol'
import { and, eq } from 'drizzle-orm'
import type { Caller } from '../auth/authorize.ts'
import { mapConstraintError } from '../db/constraint-error.ts'
import { configurations, versions } from '../db/schema.ts'
import { removeOwner } from '../gateway/owners.ts'
import type { Bind } from '../http/bind.ts'
import { toTimestamps } from '../http/pagination.ts'
import { changeFields, createRevisionProblem, matchesRevision } from '../http/preconditions.ts'
import { createInstallerUrl } from '../rules/installer-url.ts'
import { findLatest, sortLatestFirst } from '../rules/latest-version.ts'
import { createVersionUnknownProblem } from '../rules/problems.ts'
import type { Services } from '../services.ts'
import type { Catalog, ReadCatalog } from '../sync/catalog.ts'
import { limitAffected, readAffectedDevices } from './count-affected.ts'
import { auditedFields, createVersionStore, describe, type Row } from './store-version.ts'
import { isWithoutRollout, requireNoRollout } from './version-rollout.ts'

export function bindVersionRoutes(bind: Bind, services: Services, readCatalog: ReadCatalog): void {
  const store = createVersionStore(services)

  bind(putVersion, async ({ body, query, headers, audit }) => {
    const options = { ...query, condition: headers['if-match'], audit }
    const { created, ...stored } = await store(body, options)
    return { created, data: toStoredVersion(stored) }
  })

  bind(patchVersion, async ({ params: { id }, body, query, headers, audit }) => {
    const stored = await changeFields(
      describe(id),
      headers['if-match'],
      () => findVersion(services, id),
      (row, condition) =>
        store(
          {
            id,
            recommended: body.recommended ?? row.recommended,
            mandatory: body.mandatory ?? row.mandatory,
            allowed: body.allowed ?? row.allowed,
            uris: body.uris ?? [...row.uris],
            installationApiKey: body.installationApiKey,
          },
          { ...query, condition, audit },
        ),
    )
    return { data: toStoredVersion(stored) }
  })

  bindVersionQueries(bind, services, readCatalog)

  bind(deleteVersion, async ({ params: { id }, query, headers, audit }) => {
    await requireNoRollout(services, id, 'remove')
    await requireNoConfigurations(services, id)
    await limitAffected(
      services,
      query.maxReach,
      async () => (await readAffectedDevices(services, id, undefined)).reach,
    )
    const match = headers['if-match']
    const removed = await mapConstraintError(
      removeOwner(
        services,
        { kind: 'registration', id },
        and(matchesRevision(versions.revision, match), isWithoutRollout(id)),
        {
          owner: audit.createEntry('version', id, auditedFields),
          key: audit.createEntry('version', id, ['installationApiKey']),
        },
      ),
      () => createInUseProblem(id),
    )
    if (!removed) {
      await requireNoRollout(services, id, 'remove')
      throw createRevisionProblem(describe(id), (await findVersion(services, id)).revision)
    }
    return { data: { id } }
  })
}

/** The table refuses its removal too, but only once that was confirmed. */
async function requireNoConfigurations({ db }: Pick<Services, 'db'>, id: string): Promise<void> {
  const total = await db.$count(configurations, eq(configurations.versionId, id))
  if (total > 0) throw createInUseProblem(id)
}

const createInUseProblem = (id: string) =>
  new Problem(
    'version-in-use',
    `Cannot remove version "${id}": it has configurations, remove those first`,
  )

/** What callers read of versions; a page's visitor may ask again and again. */
function bindVersionQueries(bind: Bind, services: Services, readCatalog: ReadCatalog): void {
  const { url } = services

  bind(listVersions, async ({ query: { page, size, allowed }, caller }) => {
    const seen = selectSeen(await readCatalog(), caller)
    const wanted = sortLatestFirst(
      seen.filter((row) => allowed === undefined || row.allowed === allowed),
    )
    const items = wanted
      .slice((page - 1) * size, page * size)
      .map((row) => toVersionFor(url, caller, row))
    return { data: { items, page, size, total: wanted.length } }
  })

  bind(latestVersion, async ({ query: { os }, caller }) => {
    const found = findLatest((await readCatalog()).offered, os)
    if (!found) {
      throw new Problem(
        'version-unknown',
        `Cannot find a latest version: none is allowed${os ? ` for ${os}` : ''}`,
      )
    }
    return { data: toVersionFor(url, caller, found) }
  })

  bind(getVersion, async ({ params: { id }, caller }) => {
    if (caller.kind === 'administrator') return { data: toVersion(await findVersion(services, id)) }
    const row = selectSeen(await readCatalog(), caller).find((one) => one.id === id)
    if (!row) throw createVersionUnknownProblem(id)
    return { data: toVersionFor(url, caller, row) }
  })
}

/** Applications see what devices see that no rollout reaches. */
const selectSeen = ({ releases, offered }: Catalog, caller: Caller): readonly Row[] =>
  caller.kind === 'administrator' ? releases : offered

export async function findVersion({ db }: Pick<Services, 'db'>, id: string): Promise<Row> {
  const [row] = await db.select().from(versions).where(eq(versions.id, id))
  if (!row) throw createVersionUnknownProblem(id)
  return row
}

/** Only administrators see where the files are stored; others get the address of the download. */
function toVersionFor(url: string, caller: Caller, row: Row) {
  const version = toVersion(row)
  if (caller.kind === 'administrator') return version
  return {
    ...version,
    uris: version.uris.map((uri) => ({ ...uri, uri: createInstallerUrl(url, uri.os, row.id) })),
  }
}

export function toVersion(row: Row) {
  const { id, recommended, mandatory, allowed, revision } = row
  const uris: Installer[] = row.uris.map((uri) => ({ ...uri }))
  return { id, recommended, mandatory, allowed, uris, revision, ...toTimestamps(row) }
}

const toStoredVersion = ({
  row,
  installationApiKey,
}: {
  readonly row: Row
  readonly installationApiKey?: string | undefined
}) => ({ ...toVersion(row), ...(installationApiKey && { installationApiKey }) })
