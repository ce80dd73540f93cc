/** Versions of the connector. */
import {
  deleteVersion,
  getVersion,
  type Installer,
  latestVersion,
  listVersions,
  Problem,
  putVersion,
} from '@cardwire/client/protocol'
import { and, eq, sql } from 'drizzle-orm'
import type { Caller } from '../auth/authorize.ts'
import { exists, isDistinctFrom, selectChangedFields } from '../db/audit.ts'
import { mapConstraintError } from '../db/constraint-error.ts'
import { versions } from '../db/schema.ts'
import { createConsumerKeys } from '../gateway/consumer-keys.ts'
import type { Bind } from '../http/bind.ts'
import { toTimestamps } from '../http/pagination.ts'
import { createInstallerUrl } from '../rules/installer-url.ts'
import { compareVersionsDescending, findLatest, toPrecedence } from '../rules/latest-version.ts'
import { createVersionUnknownProblem } from '../rules/problems.ts'
import type { Services } from '../services.ts'
import { requireInstallerFiles, requireInstallers } from './check-installers.ts'
import { keepInstallationKey } from './stamp-installer.ts'

type Row = typeof versions.$inferSelect

/** The fields that the audit names; the installation key has entries of its own. */
const auditedFields = ['recommended', 'mandatory', 'allowed', 'uris']

export function bindVersionRoutes(bind: Bind, services: Services): void {
  const { db, clock, random, gateway, url } = services
  const keys = createConsumerKeys(gateway, random)

  bind(putVersion, async ({ body, query: { force }, audit }) => {
    const { installationApiKey: key, ...version } = body
    const rank = toPrecedence(version.id)
    if (rank === undefined) {
      throw new Problem(
        'input-invalid',
        `Cannot register version "${version.id}": its numbers are too large`,
        {
          errors: [{ path: 'id', message: 'Numbers beyond 2^53 - 1' }],
        },
      )
    }
    const consumer = { kind: 'registration', id: version.id } as const
    const known = eq(versions.id, version.id)
    const [before] = await db.select().from(versions).where(known)
    await requireInstallerFiles(services, body.uris, before?.uris)
    if (body.mandatory && !force) await requireInstallers(services, body)
    const keyEntry = audit.createEntry('version', version.id, ['installationApiKey'])
    if (!before) await keys.requireFree(consumer, key)
    // The key first: a request that is refused because of its key must not change anything.
    const replaced = before && key && (await keys.replace(consumer, key, 0, keyEntry))
    const now = clock()
    const row = { ...version, precedence: rank, revision: 1, createdAt: now, updatedAt: now }
    const { id: _, ...changes } = version
    const fields = selectChangedFields(versions, known, {
      recommended: isDistinctFrom(versions.recommended, changes.recommended),
      mandatory: isDistinctFrom(versions.mandatory, changes.mandatory),
      allowed: isDistinctFrom(versions.allowed, changes.allowed),
      uris: isDistinctFrom(versions.uris, changes.uris),
    })
    const [, [stored]] = await mapConstraintError(
      db.batch([
        audit.createEntry('version', version.id, fields).toStatement(),
        db
          .insert(versions)
          .values(row)
          .onConflictDoUpdate({
            target: versions.id,
            set: { ...changes, updatedAt: now, revision: sql`${versions.revision} + 1` },
          })
          .returning(),
      ]),
      async () => {
        const [other] = await db.select().from(versions).where(eq(versions.precedence, rank))
        return new Problem(
          'version-taken',
          `Cannot register version "${version.id}": "${other?.id}" differs in build metadata alone`,
        )
      },
    )
    if (!stored) throw new Error(`Cannot store version "${version.id}": no row came back`)
    const created = stored.revision === 1
    const mine = and(eq(versions.id, version.id), eq(versions.revision, 1))
    const undo = () =>
      db.batch([
        audit
          .createUndoEntry('version', version.id, auditedFields)
          .toStatement(exists(versions, mine)),
        db.delete(versions).where(mine),
      ])
    const isUnchanged = async () => (await db.$count(versions, mine)) === 1
    const installationApiKey = created
      ? await keys.create(consumer, key, { undo, isUnchanged }, keyEntry)
      : (replaced ?? (key && (await keys.replace(consumer, key, 0, keyEntry))))
    if (installationApiKey) await keepInstallationKey(services, version.id, installationApiKey)
    const data = { ...toVersion(stored), ...(installationApiKey && { installationApiKey }) }
    return { created, data }
  })

  bind(listVersions, async ({ query: { page, size, allowed }, caller }) => {
    const all = await db.select().from(versions)
    const wanted = all
      .filter((row) => allowed === undefined || row.allowed === allowed)
      .toSorted(compareVersionsDescending)
    const items = wanted
      .slice((page - 1) * size, page * size)
      .map((row) => toVersionFor(caller, row))
    return { data: { items, page, size, total: wanted.length } }
  })

  bind(latestVersion, async ({ query: { os }, caller }) => {
    const found = findLatest(await db.select().from(versions), os)
    if (!found) {
      throw new Problem(
        'version-unknown',
        `Cannot find a latest version: none is allowed${os ? ` for ${os}` : ''}`,
      )
    }
    return { data: toVersionFor(caller, found) }
  })

  bind(getVersion, async ({ params: { id }, caller }) => {
    const [row] = await db.select().from(versions).where(eq(versions.id, id))
    if (!row) throw createVersionUnknownProblem(id)
    return { data: toVersionFor(caller, row) }
  })

  bind(deleteVersion, async ({ params: { id }, audit }) => {
    const mine = eq(versions.id, id)
    const [, [row]] = await mapConstraintError(
      db.batch([
        audit.createEntry('version', id, auditedFields).toStatement(exists(versions, mine)),
        db.delete(versions).where(mine).returning(),
      ]),
      () =>
        new Problem(
          'version-in-use',
          `Cannot remove version "${id}": it has configurations, remove those first`,
        ),
    )
    if (!row) throw createVersionUnknownProblem(id)
    await gateway.remove(
      { kind: 'registration', id },
      audit.createEntry('version', id, ['installationApiKey']),
    )
    return { data: { id } }
  })

  /** Only administrators see where the files are stored; others get the address of the download. */
  function toVersionFor(caller: Caller, row: Row) {
    const version = toVersion(row)
    if (caller.kind === 'administrator') return version
    return {
      ...version,
      uris: version.uris.map((uri) => ({ ...uri, uri: createInstallerUrl(url, uri.os, row.id) })),
    }
  }
}

function toVersion(row: Row) {
  const { id, recommended, mandatory, allowed } = row
  const uris: Installer[] = row.uris.map((uri) => ({ ...uri }))
  return { id, recommended, mandatory, allowed, uris, ...toTimestamps(row) }
}
