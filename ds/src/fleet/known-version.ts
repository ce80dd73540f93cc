/** Makes sure that a version is registered: where the settings allow it, by registering it. */
import { Problem } from '@cardwire/client/protocol'
import { eq, not } from 'drizzle-orm'
import { auditOf, type Origin, there } from '../db/audit.ts'
import { versions } from '../db/schema.ts'
import { precedence } from '../rules/latest.ts'
import type { Services } from '../services.ts'
import type { Catalog } from './catalog.ts'

/** Who named the version, and with which operation. */
interface Namer {
  readonly operation: string
  readonly origin: Origin
}

/** The catalog, which holds version `id`; what was made for a device is in the audit. */
export async function catalogWith(
  parts: Pick<Services, 'db' | 'clock' | 'settings'>,
  read: () => Promise<Catalog>,
  id: string,
  namer: () => Namer,
): Promise<Catalog> {
  const holds = ({ releases }: Catalog) => releases.some((release) => release.id === id)
  const catalog = await read()
  if (holds(catalog)) return catalog
  const rank = precedence(id)
  if (parts.settings.implicitVersions && rank !== undefined) {
    await make(parts, id, rank, namer())
    const again = await read()
    if (holds(again)) return again
  }
  throw new Problem('version-unknown', `Cannot serve version "${id}": it is not registered`)
}

/** A version that differs in build metadata alone from one that is there is not made (SemVer 2.0.0 §10). */
async function make(
  parts: Pick<Services, 'db' | 'clock'>,
  id: string,
  rank: string,
  { operation, origin }: Namer,
): Promise<void> {
  const { db, clock } = parts
  const now = clock()
  const flags = { recommended: false, mandatory: false, allowed: true }
  const row = { id, precedence: rank, ...flags, uris: [], revision: 1 }
  await db.batch([
    auditOf(parts, operation, origin)
      .entry('version', id, ['id'])
      .statement(not(there(versions, eq(versions.precedence, rank)))),
    db
      .insert(versions)
      .values({ ...row, createdAt: now, updatedAt: now })
      .onConflictDoNothing(),
  ])
}
