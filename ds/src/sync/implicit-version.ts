/** Registers a version that a device names, where DS_IMPLICIT_VERSIONS allows it. */
import { Problem } from '@cardwire/protocol'
import { and, eq, not, sql } from 'drizzle-orm'
import { type AuditReading, type AuditSource, createAudit, exists } from '../db/audit.ts'
import { forgetEarlier, keepRevision } from '../db/revisions.ts'
import { versions } from '../db/schema.ts'
import { toPrecedence } from '../rules/latest-version.ts'
import type { Services } from '../services.ts'
import type { Catalog, ReadCatalog } from './catalog.ts'

/** How many versions devices may register before an administrator looks at one of them. */
const maxUnattended = 100

/** Which device names the version, and with which operation. */
interface VersionRequest {
  readonly operation: string
  readonly source: AuditSource
}

/** The catalog with version `id` in it. A version that is registered here has an entry in the audit. Throws `version-unknown`. */
export async function readCatalogWithVersion(
  parts: Pick<Services, 'db' | 'clock' | 'settings' | 'log'>,
  read: ReadCatalog,
  id: string,
  createRequest: () => VersionRequest,
  reading?: AuditReading,
): Promise<Catalog> {
  const holds = ({ releases }: Catalog) => releases.some((release) => release.id === id)
  const catalog = await read(reading)
  if (holds(catalog)) return catalog
  const rank = toPrecedence(id)
  if (parts.settings.implicitVersions && rank !== undefined) {
    await registerVersion(parts, id, rank, createRequest())
    const updated = await read()
    if (holds(updated)) return updated
    if ((await parts.db.$count(versions, isUnattended)) >= maxUnattended)
      parts.log.warn('too many implicit versions', { version: id, max: maxUnattended })
  }
  throw new Problem('version-unknown', `Cannot serve version "${id}": it is not registered`)
}

/** A version that a device has registered and no administrator has changed: it has no installers. */
const isUnattended = and(eq(versions.revision, 1), eq(versions.uris, []))

/**
 * Registers nothing when a version is registered that differs only in build metadata (SemVer 2.0.0 §10), or when there
 * are too many that nobody has looked at: every version is read with every change, and a device may name any.
 */
async function registerVersion(
  parts: Pick<Services, 'db' | 'clock' | 'settings'>,
  id: string,
  rank: string,
  { operation, source }: VersionRequest,
): Promise<void> {
  const { db, clock } = parts
  const now = clock()
  const isFree = not(exists(versions, eq(versions.precedence, rank)))
  const unattended = db.select({ count: sql`count(*)` }).from(versions).where(isUnattended)
  const mayRegister = sql`${isFree} and (${unattended}) < ${maxUnattended}`
  // In the order of the columns: neither recommended nor mandatory, but allowed; without installers and a key; the first revision.
  const values = sql`${id}, ${rank}, false, false, true, '[]', null, 1, ${now}, ${now}`
  const audit = createAudit(parts, operation, source)
  const value = { recommended: false, mandatory: false, allowed: true, uris: [] }
  await db.batch([
    audit.createEntry('version', id, ['id']).toStatement(mayRegister),
    forgetEarlier(db, id),
    db.insert(versions).select(sql`select ${values} where ${mayRegister}`).onConflictDoNothing(),
    ...keepRevision(parts, versions, { kind: 'version', id, value }, audit.author),
  ])
}
