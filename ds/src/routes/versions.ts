/** Versions of the connector. */
import {
  deleteVersion,
  getVersion,
  type Installer,
  latestVersion,
  listVersions,
  type Platform,
  Problem,
  platforms,
  putVersion,
} from '@cardwire/client/protocol'
import { and, eq, sql } from 'drizzle-orm'
import type { Caller } from '../auth/authorize.ts'
import { changedFields, differs, there } from '../db/audit.ts'
import { versions } from '../db/schema.ts'
import { refusing } from '../db/violation.ts'
import { byVersionDescending, latest, precedence } from '../rules/latest.ts'
import type { Services } from '../services.ts'
import type { Bind } from './bind.ts'
import { keysOf } from './keys.ts'
import { times } from './lists.ts'

type Row = typeof versions.$inferSelect

/** What a version is made of beside its key, which is changed apart from it. */
const ownFields = ['recommended', 'mandatory', 'allowed', 'uris']

export function versionRoutes(bind: Bind, { db, clock, random, gateway, url }: Services): void {
  const keys = keysOf(gateway, random)

  bind(putVersion, async ({ body, audit }) => {
    const { installationApiKey: key, ...version } = body
    const rank = precedence(version.id)
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
    const keyEntry = audit.entry('version', version.id, ['installationApiKey'])
    if (!before) await keys.mustBeFree(consumer, key)
    // The key first: what is refused for its key must not have changed anything.
    const replaced = before && key && (await keys.replace(consumer, key, 0, keyEntry))
    const now = clock()
    const row = { ...version, precedence: rank, revision: 1, createdAt: now, updatedAt: now }
    const { id: _, ...changes } = version
    const fields = changedFields(versions, known, {
      recommended: differs(versions.recommended, changes.recommended),
      mandatory: differs(versions.mandatory, changes.mandatory),
      allowed: differs(versions.allowed, changes.allowed),
      uris: differs(versions.uris, changes.uris),
    })
    const [, [stored]] = await refusing(
      db.batch([
        audit.entry('version', version.id, fields).statement(),
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
        audit.undone('version', version.id, ownFields).statement(there(versions, mine)),
        db.delete(versions).where(mine),
      ])
    const untouched = async () => (await db.$count(versions, mine)) === 1
    const installationApiKey = created
      ? await keys.create(consumer, key, { undo, untouched }, keyEntry)
      : (replaced ?? (key && (await keys.replace(consumer, key, 0, keyEntry))))
    const data = { ...present(stored), ...(installationApiKey && { installationApiKey }) }
    return { created, data }
  })

  bind(listVersions, async ({ query: { page, size, allowed }, caller }) => {
    const all = await db.select().from(versions)
    const wanted = all
      .filter((row) => allowed === undefined || row.allowed === allowed)
      .toSorted(byVersionDescending)
    const items = wanted.slice((page - 1) * size, page * size).map((row) => presentTo(caller, row))
    return { data: { items, page, size, total: wanted.length } }
  })

  bind(latestVersion, async ({ query: { os }, caller }) => {
    const found = latest(await db.select().from(versions), os)
    if (!found) {
      throw new Problem(
        'version-unknown',
        `Cannot find a latest version: none is allowed${os ? ` for ${os}` : ''}`,
      )
    }
    return { data: presentTo(caller, found) }
  })

  bind(getVersion, async ({ params: { id }, caller }) => {
    const [row] = await db.select().from(versions).where(eq(versions.id, id))
    if (!row) throw versionUnknown(id)
    return { data: presentTo(caller, row) }
  })

  bind(deleteVersion, async ({ params: { id }, audit }) => {
    const mine = eq(versions.id, id)
    const [, [row]] = await refusing(
      db.batch([
        audit.entry('version', id, ownFields).statement(there(versions, mine)),
        db.delete(versions).where(mine).returning(),
      ]),
      () =>
        new Problem(
          'version-in-use',
          `Cannot remove version "${id}": it has configurations, remove those first`,
        ),
    )
    if (!row) throw versionUnknown(id)
    await gateway.remove(
      { kind: 'registration', id },
      audit.entry('version', id, ['installationApiKey']),
    )
    return { data: { id } }
  })

  /** Only administrators see where the files lie; everybody else is sent to the download. */
  function presentTo(caller: Caller, row: Row) {
    const version = present(row)
    if (caller.kind === 'administrator') return version
    return {
      ...version,
      uris: version.uris.map((uri) => ({ ...uri, uri: downloadUrl(url, uri.os, row.id) })),
    }
  }
}

export const versionUnknown = (id: string) =>
  new Problem('version-unknown', `Cannot find version "${id}": it is not registered`)

export const downloadUrl = (url: string, os: Platform, id: string) =>
  `${url}/v3/downloads/installers/${platforms[os]}/versions/${encodeURIComponent(id)}`

function present(row: Row) {
  const { id, recommended, mandatory, allowed } = row
  const uris: Installer[] = row.uris.map((uri) => ({ ...uri }))
  return { id, recommended, mandatory, allowed, uris, ...times(row) }
}
