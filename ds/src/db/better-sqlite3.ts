/** The database driver of Node. */
import Sqlite, { type Database, type Statement as Prepared } from 'better-sqlite3'
import type { Row, Statement } from './database.ts'
import { type FileDriver, pragmas } from './file-driver.ts'
import { together } from './together.ts'

export function betterSqlite3(file: string): FileDriver {
  const connection = new Sqlite(file)
  for (const pragma of pragmas) connection.pragma(pragma)
  const prepare = preparing(connection)
  const run = (statement: Statement) => execute(prepare(statement.sql), statement)
  const writes = together<readonly Row[]>({
    run,
    transaction: (act) => connection.transaction(act).immediate(),
    // Inside a transaction better-sqlite3 makes it a savepoint.
    part: (act) => connection.transaction(act)(),
    isOpen: () => connection.inTransaction,
    // A turn more than the next: what the threads that verify signatures hand over meanwhile comes along.
    later: (act) => setImmediate(setImmediate, act),
  })
  return {
    run: async (statement) => {
      const prepared = prepare(statement.sql)
      if (prepared.readonly) return execute(prepared, statement)
      const [rows = []] = await writes.add([statement])
      return rows
    },
    batch: (statements) => writes.add(statements),
    close() {
      writes.flush()
      connection.close()
    },
  }
}

/** Statements are few and come again; a bound in case some are not. */
const mostPrepared = 500

function preparing(connection: Database): (sql: string) => Prepared {
  const known = new Map<string, Prepared>()
  return (sql) => {
    const found = known.get(sql)
    if (found) return found
    const prepared = connection.prepare(sql)
    if (prepared.reader) prepared.raw()
    if (known.size < mostPrepared) known.set(sql, prepared)
    return prepared
  }
}

function execute(prepared: Prepared, { params }: Statement): readonly Row[] {
  if (prepared.reader) return prepared.all(...params) as Row[]
  prepared.run(...params)
  return []
}
