/** Entries of the audit, as statements that go into the batch of the change they record. */
import type { AuditKind } from '@cardwire/client/protocol'
import { type SQL, sql } from 'drizzle-orm'
import type { BatchItem } from 'drizzle-orm/batch'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Services } from '../services.ts'
import { audit } from './schema.ts'

/** Who changes something, and by which request. */
export interface Origin {
  readonly who: {
    readonly subject: string
    readonly issuer: string | null
    readonly name: string
  }
  readonly address: string | null
  readonly requestId: string | null
}

/** The administrators' command, and the service itself at its first start. */
export const local: Origin = {
  who: { subject: 'local', issuer: null, name: 'local' },
  address: null,
  requestId: null,
}

export interface Entry {
  /**
   * Stands before the statement it records, in one batch. `when` is the condition under which that one will change
   * anything; without it the batch changes something or fails.
   */
  statement(when?: SQL): BatchItem<'sqlite'>
  /** Written alone, after another system made the change. */
  write(): PromiseLike<unknown>
}

export interface Audit {
  /** An entry about something and the fields of it that change: their names, never a value. */
  entry(kind: AuditKind, id: string, fields: readonly string[] | SQL): Entry
  /** An entry that this operation took back what it had changed. */
  undone(kind: AuditKind, id: string, fields: readonly string[]): Entry
  /** Says that a request had nothing to change. */
  unchanged(): void
}

/** The audit of one operation. */
export function auditOf(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  operation: string,
  { who, address, requestId }: Origin,
): Audit {
  const made = (name: string, kind: AuditKind, id: string, fields: readonly string[] | SQL) => {
    const statement = (when: SQL = sql`true`) => {
      const names = Array.isArray(fields) ? fields.join(' ') : fields
      // In the order of the columns; the first is counted by the database.
      const values = [
        ...[null, clock(), who.subject, who.issuer, who.name, name, kind, id],
        ...[names, address, requestId],
      ].map((value) => sql`${value}`)
      return db.insert(audit).select(sql`select ${sql.join(values, sql`, `)} where ${when}`)
    }
    return { statement, write: () => statement() }
  }
  return {
    entry: (kind, id, fields) => made(operation, kind, id, fields),
    undone: (kind, id, fields) => made(`${operation}:undone`, kind, id, fields),
    unchanged: () => undefined,
  }
}

/** Whether a table holds such a row. */
export const there = (table: SQLiteTable, where: SQL | undefined): SQL =>
  sql`exists (select 1 from ${table} where ${where})`

/** The fields by which what is put differs from the row it replaces; all of them when there is no such row. */
export function changedFields(
  table: SQLiteTable,
  where: SQL | undefined,
  fields: Readonly<Record<string, SQL>>,
): SQL {
  const names = Object.entries(fields).map(
    ([name, differ]) => sql`case when ${differ} then ${`${name} `} else '' end`,
  )
  const all = Object.keys(fields).join(' ')
  return sql`coalesce((select ${sql.join(names, sql` || `)} from ${table} where ${where}), ${all})`
}

/** Whether a column holds anything but `value`. */
export const differs = <C extends SQLiteColumn>(column: C, value: C['_']['data']): SQL =>
  sql`${column} is not ${sql.param(value, column)}`
