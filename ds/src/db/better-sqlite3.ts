/** The database driver of Node. */
import Sqlite, { type Database, type Statement as Prepared } from 'better-sqlite3'
import type { Row, Statement } from './database.ts'
import { type FileDriver, pragmas } from './file-driver.ts'

export function betterSqlite3(file: string): FileDriver {
  const connection = new Sqlite(file)
  for (const pragma of pragmas) connection.pragma(pragma)
  const prepared = new Map<string, Prepared>()
  const run = (statement: Statement) => execute(connection, prepared, statement)
  const batch = connection.transaction((statements: readonly Statement[]) => statements.map(run))
  return {
    run: async (statement) => run(statement),
    batch: async (statements) => batch.immediate(statements),
    close: () => connection.close(),
  }
}

/** Statements are few and come again; a bound in case some are not. */
const mostPrepared = 500

function execute(
  connection: Database,
  prepared: Map<string, Prepared>,
  { sql, params }: Statement,
): readonly Row[] {
  let statement = prepared.get(sql)
  if (!statement) {
    statement = connection.prepare(sql)
    if (statement.reader) statement.raw()
    if (prepared.size < mostPrepared) prepared.set(sql, statement)
  }
  if (statement.reader) return statement.all(...params) as Row[]
  statement.run(...params)
  return []
}
