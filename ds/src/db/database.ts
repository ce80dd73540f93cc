/** The database port: single statements, and batches that are stored whole or not at all. */
import { drizzle, type SqliteRemoteDatabase } from 'drizzle-orm/sqlite-proxy'
import { type Dialect, sqlite } from './dialect.ts'

export interface Statement {
  readonly sql: string
  readonly params: readonly unknown[]
}

/** A row as the values of its columns, in the order of the query. */
export type Row = readonly unknown[]

/** What a runtime implements: run one statement, or several as one. A statement without rows returns []. */
export interface Driver {
  /** What it reads; SQLite's when absent. */
  readonly dialect?: Dialect
  run(statement: Statement): Promise<readonly Row[]>
  batch(statements: readonly Statement[]): Promise<readonly (readonly Row[])[]>
  /**
   * Runs a statement that may read a whole table, without holding up the others; it sees what was stored before. Absent
   * where no statement holds up others.
   */
  read?(statement: Statement): Promise<readonly Row[]>
}

/**
 * Queries as drizzle builds them. There is no `transaction`: D1 has none, and on a shared connection it would roll back
 * what other requests have stored.
 */
export type Database = Pick<
  SqliteRemoteDatabase,
  'select' | 'selectDistinct' | 'insert' | 'update' | 'delete' | 'batch' | '$count'
> & { readonly sqlDialect: Dialect }

/** For lists and sums of administrators. */
export type Reader = Pick<Database, 'select' | '$count' | 'sqlDialect'>

export const createReader = ({ run, read = run, ...driver }: Driver): Reader =>
  createDatabase({
    ...driver,
    run: read,
    batch: () => Promise.reject(new Error('Cannot store: this database is for reading')),
  })

export function createDatabase(driver: Driver): Database {
  const database = drizzle(
    async (sql, params, method) => {
      const rows = await driver.run({ sql, params })
      // For a missing single row drizzle expects undefined, although its type does not allow it.
      return { rows: method === 'get' ? (rows[0] as unknown[]) : [...rows] }
    },
    async (statements) => {
      const results = await driver.batch(statements)
      return results.map((rows) => ({ rows: [...rows] }))
    },
  )
  return Object.assign(database, { sqlDialect: driver.dialect ?? sqlite })
}
