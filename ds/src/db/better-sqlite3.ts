/** The database driver of Node: better-sqlite3. */
import { createRequire } from 'node:module'
import Sqlite, { type Database, type Statement as Prepared } from 'better-sqlite3'
import type { Row, Statement } from './database.ts'
import { type FileDriver, pragmas } from './file-driver.ts'
import { createGroupCommit } from './group-commit.ts'
import { closeLast, createReadThread, type ReaderSource } from './read-thread.ts'

export function openBetterSqlite3(file: string): FileDriver {
  const connection = new Sqlite(file)
  for (const pragma of pragmas) connection.pragma(pragma)
  const prepare = createStatementCache(connection)
  const run = (statement: Statement) => execute(prepare(statement.sql), statement)
  const writes = createGroupCommit<readonly Row[]>({
    run,
    transaction: (act) => connection.transaction(act).immediate(),
    // Inside a transaction better-sqlite3 creates a savepoint.
    savepoint: (act) => connection.transaction(act)(),
    inTransaction: () => connection.inTransaction,
    // After two turns of the event loop: requests whose signatures other threads verify meanwhile join the same commit.
    defer: (act) => setImmediate(setImmediate, act),
  })
  const reads = createReadThread(file, readerSource)
  return {
    run: async (statement) => {
      const prepared = prepare(statement.sql)
      if (prepared.readonly) return execute(prepared, statement)
      const [rows = []] = await writes.add([statement])
      return rows
    },
    batch: (statements) => writes.add(statements),
    read: (statement) => reads.run(statement),
    close() {
      writes.flush()
      return closeLast(reads, () => connection.close())
    },
  }
}

const readerSource: ReaderSource<typeof Sqlite> = {
  module: createRequire(import.meta.url).resolve('better-sqlite3'),
  open: (Database, path) => {
    const connection = new Database(path, { readonly: true, fileMustExist: true })
    connection.pragma('busy_timeout = 5000')
    return {
      read: ({ sql, params }) =>
        connection
          .prepare(sql)
          .raw()
          .all(...params) as Row[],
      close: () => connection.close(),
    }
  },
}

/**
 * Copies the database, which a service may have open, to a new file that is readable by the owner of the process alone.
 * Resolves with what is wrong with the copy, where something is. Not VACUUM INTO: it may change the rowids, and the
 * succession of keys is ordered by them. `copyMore` copies what belongs to it: until that has ended, the secret is not rotated.
 */
export async function copyDatabase(
  file: string,
  copy: string,
  copyMore: () => Promise<void>,
): Promise<string | undefined> {
  const source = new Sqlite(file, { readonly: true, fileMustExist: true })
  try {
    // All pages at once: a copy in steps begins again with each change that the service makes.
    await source.backup(copy, { progress: () => maxPages })
    // Before the file is closed: a rotation refuses to begin while another program has it open (exclusive-database.ts).
    await copyMore()
  } finally {
    source.close()
  }
  const target = new Sqlite(copy)
  try {
    // One file, without a second one that would have to be copied with it.
    target.pragma('journal_mode = DELETE')
    const report = target.pragma('integrity_check(1)', { simple: true })
    return report === 'ok' ? undefined : String(report)
  } finally {
    target.close()
  }
}

/** More than a database can have. */
const maxPages = 0x7fff_ffff

/** The service has few different statements; the limit is for the case that it has not. */
const maxPrepared = 500

function createStatementCache(connection: Database): (sql: string) => Prepared {
  const cached = new Map<string, Prepared>()
  return (sql) => {
    const found = cached.get(sql)
    if (found) return found
    const prepared = connection.prepare(sql)
    if (prepared.reader) prepared.raw()
    if (cached.size < maxPrepared) cached.set(sql, prepared)
    return prepared
  }
}

function execute(prepared: Prepared, { params }: Statement): readonly Row[] {
  if (prepared.reader) return prepared.all(...params) as Row[]
  prepared.run(...params)
  return []
}
