/** Opens the state database of this user: migrates it, and replaces it when it cannot be read. */
import { Database, SQLiteError } from 'bun:sqlite'
import { chmodSync, closeSync, mkdirSync, openSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { createDamagedPath, keepDamagedFile } from '../damaged-files.ts'
import { errorText } from '../error-text.ts'
import type { Log } from '../log.ts'
import { migrations } from './migrations.ts'
import { getRevisionPath, readRevision, readStoredRevision, storeRevision } from './revision.ts'

/** In the runtime folder. */
export const stateFileName = 'state.db'

/** Milliseconds that a writer waits for the writer of another process. */
const busyMs = 5000
/** An empty file that is younger may be that of another process that starts, in milliseconds. */
const beginningMs = 60_000
/** Milliseconds between two tries of a statement that SQLite does not wait for itself. */
const retryMs = 20

/**
 * Opens the database of the runtime folder, and creates both where they are missing; only their owner can read them. A file
 * that is no database, is damaged, is of a later version or is older than the last change of consents is renamed to
 * `state.db.damaged-…`. Throws when none can be created.
 */
export function openStateDatabase(runtime: string, log: Pick<Log, 'error'>): Database {
  mkdirSync(runtime, { recursive: true, mode: 0o700 })
  chmodSync(runtime, 0o700)
  const path = join(runtime, stateFileName)
  // Before the database is read: another process may change both meanwhile, the database first.
  const known = readStoredRevision(path)
  // Its loss is logged below, where the database had one.
  if (known === undefined) keepDamagedFile(getRevisionPath(path), { warn: () => undefined })
  const wasEmptied = isEmptied(path)
  try {
    const { database, isNew } = open(path, known)
    if (isNew && (known !== undefined || wasEmptied))
      log.error('state database was missing or empty, pages need new consents', { path })
    else if (!isNew && known === undefined && readRevision(database) > 0)
      log.error('revision of the state database was lost, an older database goes unnoticed', {
        path: getRevisionPath(path),
      })
    continueRevision(database, known)
    return database
  } catch (error) {
    if (!isUnreadable(error)) throw openError(path, error)
    const kept = createDamagedPath(path)
    log.error('state database put aside, pages need new consents', {
      path: kept,
      reason: error.message,
    })
    renameSync(path, kept)
    for (const end of ['-wal', '-shm']) rmSync(`${path}${end}`, { force: true })
    const { database } = open(path, known)
    continueRevision(database, known)
    return database
  }
}

/** A file without content that did not come into being just now, by the first start of another process. */
function isEmptied(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false })
  return found?.size === 0 && Math.abs(Date.now() - found.mtimeMs) > beginningMs
}

/** Numbers go on where those of a lost database ended, so that it stays older. */
function continueRevision(database: Database, known = 0): void {
  database
    .query('UPDATE revision SET number = $next WHERE number < $next')
    .run({ next: Math.max(known, 1) })
  if (readRevision(database) !== known) storeRevision(database)
}

class UnusableDatabase extends Error {}

/** SQLite reports the fault, such as a full disk or a read-only folder, but not the path. */
const openError = (path: string, error: unknown) =>
  new Error(`Cannot open "${path}": ${errorText(error)}`, {
    cause: error,
  })

interface OpenedDatabase {
  readonly database: Database
  /** It had no tables. */
  readonly isNew: boolean
}

/** `known`: the stored revision. */
function open(path: string, known: number | undefined): OpenedDatabase {
  // SQLite creates its two other files with the mode of this one.
  closeSync(openSync(path, 'a', 0o600))
  chmodSync(path, 0o600)
  const database = new Database(path, { readwrite: true, strict: true })
  try {
    database.run(`PRAGMA busy_timeout = ${busyMs}`)
    enableWriteAheadLog(database)
    // What a page was told stays true after a power failure.
    database.run('PRAGMA synchronous = FULL')
    const check = database.query<{ quick_check: string }, []>('PRAGMA quick_check(1)').get()
    if (check?.quick_check !== 'ok') throw new UnusableDatabase(check?.quick_check ?? 'no response')
    const isNew = readVersion(database) === 0
    migrate(database)
    const revision = readRevision(database)
    if (!isNew && known !== undefined && revision < known)
      throw new UnusableDatabase(
        `it is older than the last change of consents: its revision is ${revision}, the last one was ${known}`,
      )
    return { database, isNew }
  } catch (error) {
    database.close()
    throw error
  }
}

/** SQLite does not wait for another process that switches the journal mode at the same moment. */
function enableWriteAheadLog(database: Database): void {
  const until = performance.now() + busyMs
  for (;;) {
    try {
      database.run('PRAGMA journal_mode = WAL')
      return
    } catch (error) {
      const busy = error instanceof SQLiteError && error.code?.startsWith('SQLITE_BUSY')
      if (!busy || performance.now() > until) throw error
      Bun.sleepSync(retryMs)
    }
  }
}

const readVersion = (database: Database): number =>
  database.query<{ user_version: number }, []>('PRAGMA user_version').get()?.user_version ?? 0

function migrate(database: Database): void {
  if (readVersion(database) === migrations.length) return
  // When two processes migrate at once, the second one waits and finds the database migrated.
  database
    .transaction(() => {
      const from = readVersion(database)
      if (from > migrations.length) throw new UnusableDatabase(`its version is ${from}`)
      for (const statements of migrations.slice(from)) database.run(statements)
      database.run(`PRAGMA user_version = ${migrations.length}`)
    })
    .immediate()
}

const isUnreadable = (error: unknown): error is Error =>
  error instanceof UnusableDatabase ||
  (error instanceof SQLiteError && /^SQLITE_(CORRUPT|NOTADB)/.test(error.code ?? ''))
