/** A database for a command that has to be its only user, and changes everything or nothing. */
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import Sqlite from 'better-sqlite3'
import { openPostgres, type RunText } from '../db/postgres.ts'
import { type DatabaseAddress, formatDatabaseAddress } from '../rules/database-address.ts'
import { StartError } from '../self-hosted/start-error.ts'

interface Work<T> {
  /** In one transaction. The placeholders `$1`, `$2` come in this order. */
  act(run: RunText): Promise<T>
  /** After the commit, before another program can use the database. */
  finish(): Promise<void>
}

/** Throws a StartError when another program has the database open; none can open and use it meanwhile. */
export async function withExclusiveDatabase<T>(
  address: DatabaseAddress,
  tables: readonly string[],
  work: Work<T>,
): Promise<T> {
  if (address.kind === 'file') return withFile(resolve(address.file), work)
  const { rootCertificateFile: file } = address.address
  const driver = openPostgres(address.address, file && (await readFile(file, 'utf8')))
  try {
    const done = await driver.transaction(async (run) => {
      await requireOnlyUser(run, formatDatabaseAddress(address))
      await run(
        `lock table ${tables.map((name) => `"${name}"`).join(', ')} in access exclusive mode`,
      )
      return work.act(run)
    })
    await work.finish()
    return done
  } finally {
    await driver.close()
  }
}

async function requireOnlyUser(run: RunText, database: string): Promise<void> {
  const others = await run(
    `select pid, application_name from pg_stat_activity where datname = current_database()
      and pid <> pg_backend_pid() and coalesce(backend_type, 'client backend') = 'client backend'`,
    [],
  )
  if (others.length === 0) return
  const names = others.slice(0, 8).map(([pid, name]) => `${name || 'unnamed'} (${pid})`)
  throw new StartError(
    `Cannot change "${database}": other programs are connected: ${names.join(', ')}. Stop every node of the service first`,
  )
}

async function withFile<T>(file: string, { act, finish }: Work<T>): Promise<T> {
  const connection = new Sqlite(file, { fileMustExist: true, timeout: 0 })
  try {
    lock(connection, file)
    const done = await act(async (text, params = []) => {
      const statement = connection.prepare(text.replaceAll(/\$\d+/g, '?'))
      if (statement.reader) return statement.raw().all(...params) as (readonly unknown[])[]
      statement.run(...params)
      return []
    })
    connection.exec('commit')
    await finish()
    return done
  } finally {
    // Rolls back what was not committed, and gives up the lock.
    connection.close()
  }
}

/** Throws a StartError when another program has this SQLite file open. */
export function requireUnused(file: string): void {
  const connection = new Sqlite(file, { fileMustExist: true, timeout: 0 })
  try {
    lock(connection, file)
  } finally {
    connection.close()
  }
}

/** A file in WAL mode is locked for every program that has it open, also while that does nothing (sqlite.org/wal.html#noshm). */
function lock(connection: Sqlite.Database, file: string): void {
  try {
    connection.pragma('locking_mode = EXCLUSIVE')
    connection.pragma('synchronous = FULL')
    connection.exec('begin exclusive')
  } catch (error) {
    if (!(error instanceof Sqlite.SqliteError) || !error.code.startsWith('SQLITE_BUSY')) throw error
    throw new StartError(
      `Cannot change "${file}": another program has it open. Stop the service first`,
    )
  }
}
