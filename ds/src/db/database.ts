/** The one database port, whatever the driver: single statements, and batches that happen whole or not at all. */
import { drizzle, type SqliteRemoteDatabase } from 'drizzle-orm/sqlite-proxy'

export interface Statement {
  readonly sql: string
  readonly params: readonly unknown[]
}

/** A row as the values of its columns, in the order they were asked for. */
export type Row = readonly unknown[]

/** What a runtime brings: run one statement, or several as one. Rows of a statement without any: []. */
export interface Driver {
  run(statement: Statement): Promise<readonly Row[]>
  batch(statements: readonly Statement[]): Promise<readonly (readonly Row[])[]>
}

/**
 * Queries as drizzle builds them. There is no `transaction`: D1 has none, and over a shared connection it would roll
 * back what other requests have been told is stored.
 */
export type Database = Pick<
  SqliteRemoteDatabase,
  'select' | 'insert' | 'update' | 'delete' | 'batch' | '$count'
>

export function database(driver: Driver): Database {
  return drizzle(
    async (sql, params, method) => {
      const rows = await driver.run({ sql, params })
      // Of a single row that is not there drizzle wants undefined, whatever its type says.
      return { rows: method === 'get' ? (rows[0] as unknown[]) : [...rows] }
    },
    async (statements) => {
      const results = await driver.batch(statements)
      return results.map((rows) => ({ rows: [...rows] }))
    },
  )
}
