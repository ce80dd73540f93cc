/** The history of configurations and versions, as statements that go into the batch of the change that they keep. */
import { and, eq, lte, not, or, type SQL, sql } from 'drizzle-orm'
import type { BatchItem } from 'drizzle-orm/batch'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import type { Clock } from '../ports.ts'
import { type Author, exists } from './audit.ts'
import type { Database } from './database.ts'
import { configurations, revisions, versions } from './schema.ts'

type Row = typeof revisions.$inferSelect

/** The revision after the one that a column holds. */
export const nextRevision = (column: SQLiteColumn): SQL => sql`${column} + 1`

/** What the change saved. */
export type RevisionValue = Pick<Row, 'kind' | 'id' | 'value'> &
  Partial<Pick<Row, 'versionId' | 'type' | 'groupId' | 'secret'>> & {
    /** Whether the secret is that of the revision before. */
    readonly keepsSecret?: boolean
  }

export interface RevisionServices {
  readonly db: Database
  readonly clock: Clock
  /** `revisionsKept`: how many revisions of each resource stay. */
  readonly settings: { readonly revisionsKept: number }
}

/**
 * Stands after the statement of the change, in the same batch: keeps the revision that the row in `table` has by then. A change
 * without an effect has left a revision that is kept already, and adds none.
 */
export function keepRevision(
  services: RevisionServices,
  table: typeof configurations | typeof versions,
  value: RevisionValue,
  author: Author,
): readonly BatchItem<'sqlite'>[] {
  const { kind, id } = value
  const isKept = sql`exists (select 1 from ${revisions} where ${revisions.kind} = ${kind} and ${revisions.id} = ${id} and ${revisions.revision} = ${table.revision})`
  const columns = toColumns(services, { ...value, revision: sql`${table.revision}` }, author)
  return [
    services.db
      .insert(revisions)
      .select(sql`select ${columns} from ${table} where ${table.id} = ${id} and not ${isKept}`),
    trim(services, kind, id),
  ]
}

/**
 * Stands after the statement that removes a configuration, in the same batch: keeps a revision without a value. A removal
 * without an effect has left the row, or was one of a row that was gone before.
 */
export function keepRemoval(
  services: RevisionServices,
  value: Omit<RevisionValue, 'value'>,
  author: Author,
): readonly BatchItem<'sqlite'>[] {
  const { kind, id } = value
  const revision = sql`${newest(kind, id)} + 1`
  const columns = toColumns(services, { ...value, value: null, revision }, author)
  const isThere = sql`exists (select 1 from ${configurations} where ${configurations.id} = ${id})`
  const wasThere = sql`(select before.value from ${revisions} before where before.kind = ${kind} and before.id = ${id} order by before.revision desc limit 1) is not null`
  return [
    services.db
      .insert(revisions)
      .select(sql`select ${columns} where not ${isThere} and ${wasThere}`),
    trim(services, kind, id),
  ]
}

/**
 * Stands before the statement that removes a version, in the same batch: its history ends. `when`: the condition under which the
 * statement removes it. Those of its configurations are forgotten afterwards.
 */
export const forgetVersion = (db: Database, id: string, when: SQL) =>
  db.delete(revisions).where(and(isOfVersion(id), when))

const isOfVersion = (id: string) => and(eq(revisions.kind, 'version'), eq(revisions.id, id))

/** The same for one that was only just added: the histories of its configurations are short, and end at once. */
export const forgetAddedVersion = (db: Database, id: string, when: SQL) =>
  db.delete(revisions).where(and(or(isOfVersion(id), eq(revisions.versionId, id)), when))

/**
 * Stands before the statement that adds a version, in the same batch: a process that ended has not forgotten all that belonged to
 * an earlier one of this name, and its configurations could be restored in the new one.
 */
export const forgetEarlier = (db: Database, versionId: string) =>
  db
    .delete(revisions)
    .where(
      and(eq(revisions.versionId, versionId), not(exists(versions, eq(versions.id, versionId)))),
    )

/**
 * The histories of configurations whose version is gone, without which they cannot be restored. After the batch that removes the
 * version: on SQLite, all other requests wait for a statement that deletes rows of a megabyte, and there are as many as a publisher
 * has added and removed configurations. Before the batch, they would be gone even if it fails.
 */
export async function forgetRemovedConfigurations(db: Database): Promise<void> {
  const isGone = sql`not exists (select 1 from ${versions} where ${versions.id} = ${revisions.versionId})`
  const ofConfiguration = and(eq(revisions.kind, 'configuration'), isGone)
  const removed = await db
    .selectDistinct({ id: revisions.id })
    .from(revisions)
    .where(ofConfiguration)
  for (const { id } of removed) {
    await db.delete(revisions).where(and(eq(revisions.id, id), ofConfiguration))
    await new Promise((resolve) => setTimeout(resolve, 0))
  }
}

/** The number of the newest revision that is kept; 0 when none is. */
const newest = (kind: Row['kind'], id: string): SQL =>
  sql`coalesce((select max(newest.revision) from ${revisions} newest where newest.kind = ${kind} and newest.id = ${id}), 0)`

/** In the order of the table. */
function toColumns(
  { clock }: RevisionServices,
  value: RevisionValue & { readonly revision: SQL },
  { subject, issuer, name, operation }: Author,
): SQL {
  const { kind, id, revision, versionId = null, type = null, groupId = null } = value
  const { secret = null } = value
  const text = value.value === null ? null : JSON.stringify(value.value)
  const before = sql`(select earlier.secret_from from ${revisions} earlier where earlier.kind = ${kind} and earlier.id = ${id} order by earlier.revision desc limit 1)`
  const secretFrom =
    secret === null
      ? sql`null`
      : value.keepsSecret
        ? sql`coalesce(${before}, ${revision})`
        : revision
  return sql.join(
    [
      ...[kind, id, revision, clock(), subject, issuer, name, operation],
      ...[versionId, type, groupId, text, secret, secretFrom],
    ].map((each) => sql`${each}`),
    sql`, `,
  )
}

/** Removes the revisions that are older than those that stay. */
const trim = ({ db, settings }: RevisionServices, kind: Row['kind'], id: string) =>
  db
    .delete(revisions)
    .where(
      and(
        eq(revisions.kind, kind),
        eq(revisions.id, id),
        lte(revisions.revision, sql`${newest(kind, id)} - ${settings.revisionsKept}`),
      ),
    )
