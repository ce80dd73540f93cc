/** Entries of the audit, as statements that go into the batch of the change they record. */
import type { AuditKind } from '@cardwire/protocol'
import { gt, type SQL, sql } from 'drizzle-orm'
import type { BatchItem } from 'drizzle-orm/batch'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Clock } from '../ports.ts'
import { failWhere } from './batch-conditions.ts'
import type { Database } from './database.ts'
import { audit } from './schema.ts'

/** Who changes something, and by which request. */
export interface AuditSource {
  readonly identity: {
    readonly subject: string
    readonly issuer: string | null
    readonly name: string
  }
  readonly address: string | null
  readonly requestId: string | null
}

/** For changes by the administrators' command, and by the service itself. */
export const localSource: AuditSource = {
  identity: { subject: 'local', issuer: null, name: 'local' },
  address: null,
  requestId: null,
}

/** The operation of the service when a rollout goes to its next stage, or has ended. */
export const rolloutAdvance = 'advanceRollout'

/** For what someone tries without having signed in. */
export const createUnknownSource = (
  from: Pick<AuditSource, 'address' | 'requestId'>,
): AuditSource => ({ ...from, identity: { subject: 'unknown', issuer: null, name: 'unknown' } })

export interface AuditEntry {
  /**
   * Stands before the statement of the change, in the same batch. `when` is the condition under which the change has
   * an effect; leave it out when the batch fails otherwise.
   */
  toStatement(when?: SQL): BatchItem<'sqlite'>
  /** Writes the entry alone, after another system has made the change. */
  write(): PromiseLike<unknown>
}

/** Who changes something, and by which operation. */
export interface Author {
  readonly subject: string
  readonly issuer: string | null
  readonly name: string
  readonly operation: string
}

export interface OperationAudit {
  /** For what else records who made the change. */
  readonly author: Author
  /** An entry about a resource and the names of its fields that change, never their values. */
  createEntry(kind: AuditKind, id: string, fields: readonly string[] | SQL): AuditEntry
  /** The statement of an entry about each row that matches; `id` is the column of the resource's id. */
  createEntryOfEach(
    kind: AuditKind,
    table: SQLiteTable,
    id: SQLiteColumn,
    where: SQL | undefined,
    fields?: readonly string[],
  ): BatchItem<'sqlite'>
  /** An entry about a change that this operation reverted. */
  createUndoEntry(kind: AuditKind, id: string, fields: readonly string[]): AuditEntry
  /** For a request that has nothing to change. */
  markUnchanged(): void
}

/** The audit of one operation. Its batches fail where `isPast` holds, unless another system has made the change. */
export function createAudit(
  { db, clock }: { readonly db: Database; readonly clock: Clock },
  operation: string,
  { identity, address, requestId }: AuditSource,
  isPast?: SQL,
): OperationAudit {
  /** The columns of an entry in their order. The first is null: the database numbers the entries. */
  const toColumns = (name: string | SQL, kind: AuditKind, id: string | SQLiteColumn, fields: SQL) =>
    sql.join(
      [
        ...[null, clock(), identity.subject, identity.issuer, identity.name, name, kind],
        ...[id, fields, address, requestId],
      ].map((value) => sql`${value}`),
      sql`, `,
    )
  const create = (
    names: { readonly inBatch: string | SQL; readonly alone: string },
    kind: AuditKind,
    id: string,
    fields: readonly string[] | SQL,
  ) => {
    const changed = Array.isArray(fields) ? sql`${fields.join(' ')}` : sql`${fields}`
    const insert = (name: string | SQL, when: SQL = sql`true`) =>
      db.insert(audit).select(sql`select ${toColumns(name, kind, id, changed)} where ${when}`)
    return {
      toStatement: (when?: SQL) => insert(names.inBatch, when),
      write: () => insert(names.alone),
    }
  }
  const inBatch = isPast ? failWhere(isPast, operation) : operation
  const undone = `${operation}:undone`
  const { subject, issuer } = identity
  return {
    author: { subject, issuer, name: identity.name, operation },
    createEntry: (...about) => create({ inBatch, alone: operation }, ...about),
    createEntryOfEach: (kind, table, id, where, fields = []) =>
      db
        .insert(audit)
        .select(
          sql`select ${toColumns(inBatch, kind, id, sql`${fields.join(' ')}`)} from ${table} where ${where}`,
        ),
    createUndoEntry: (...about) => create({ inBatch: undone, alone: undone }, ...about),
    markUnchanged: () => undefined,
  }
}

/** How far the audit has grown, and when that was read. */
export interface AuditReading {
  /** Null while the audit is empty. */
  readonly sequence: number | null
  /** Milliseconds since 1970. */
  readonly readAt: number
}

/** How old the reading of a request may be, in milliseconds: its body may take long. */
const maxReadingAgeMs = 1000

/** Whether what was read then can be believed still. `now`: milliseconds since 1970. */
export const isRecent = ({ readAt }: Pick<AuditReading, 'readAt'>, now: number): boolean =>
  Math.abs(now - readAt) < maxReadingAgeMs

/** The number of the newest entry, as a column of any statement. */
export const newestSequence = sql<number | null>`(select max(${audit.sequence}) from ${audit})`

/**
 * How many entries of these kinds are among the rows. The kinds are no condition of the rows: by the index of them, a database would
 * read all entries of a kind.
 */
const countKinds = (kinds: readonly AuditKind[], but = sql`true`) =>
  sql<number>`count(case when ${but} and ${audit.kind} in (${sql.join(
    kinds.map((kind) => sql`${kind}`),
    sql`, `,
  )}) then 1 end)`

/** Returns a function that says whether the audit has an entry of these kinds behind one, for which `but` holds. */
export function prepareAuditWatch(db: Database, kinds: readonly AuditKind[], but?: SQL) {
  const count = db
    .select({ count: countKinds(kinds, but) })
    .from(audit)
    .where(gt(audit.sequence, sql.placeholder('since')))
    .prepare()
  return async (since: number | null): Promise<boolean> =>
    ((await count.get({ since: since ?? 0 }))?.count ?? 0) > 0
}

/** Whether the audit has an entry of these kinds behind one, from any other request, for which `but` holds. */
export const hasEntryOfOthers = (
  kinds: readonly AuditKind[],
  since: number,
  requestId: string,
  but: SQL,
): SQL => {
  const isOther = sql`${audit.requestId} is distinct from ${requestId} and ${but}`
  return sql`(select ${countKinds(kinds, isOther)} from ${audit} where ${gt(audit.sequence, since)}) > 0`
}

/** Whether a table has such a row. */
export const exists = (table: SQLiteTable, where: SQL | undefined): SQL =>
  sql`exists (select 1 from ${table} where ${where})`

/** The names of the fields that change, with spaces between: `fields` has a condition for each. All when there is no row. */
export function selectChangedFields(
  table: SQLiteTable,
  where: SQL | undefined,
  fields: Readonly<Record<string, SQL>>,
): SQL {
  const names = Object.entries(fields).map(
    ([name, changes]) => sql`case when ${changes} then ${`${name} `} else '' end`,
  )
  const all = Object.keys(fields).join(' ')
  return sql`coalesce((select ${sql.join(names, sql` || `)} from ${table} where ${where}), ${all})`
}

/** Whether a column holds anything but `value`. */
export const isDistinctFrom = <C extends SQLiteColumn>(
  column: C,
  value: C['_']['data'] | null,
): SQL => sql`${column} is distinct from ${sql.param(value, column)}`
