/** The state database of this user: opened, brought up to date, and begun anew where it cannot be read. */
import { Database, SQLiteError } from 'bun:sqlite'
import { chmodSync, closeSync, mkdirSync, openSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Log } from '../system/log.ts'
import { versions } from './schema.ts'

/** The file's name in the runtime folder. */
export const stateFile = 'state.db'

/** How long a writer waits for the writer of another process, in milliseconds. */
const busyMs = 5000
/** Between two tries of what SQLite does not wait for, in milliseconds. */
const againMs = 20

/**
 * Opens the database of the runtime folder, which it makes where it is missing; both are the owner's alone. A file that is
 * no database, is damaged or comes from a later version is put aside as `state.db.aside`. Throws when none can be made.
 */
export function openState(runtime: string, log: Pick<Log, 'error'>): Database {
  mkdirSync(runtime, { recursive: true, mode: 0o700 })
  chmodSync(runtime, 0o700)
  const path = join(runtime, stateFile)
  try {
    return open(path)
  } catch (error) {
    if (!isUnreadable(error)) throw unopened(path, error)
    log.error('state database put aside, consents are asked for anew', {
      path: `${path}.aside`,
      reason: error.message,
    })
    renameSync(path, `${path}.aside`)
    for (const end of ['-wal', '-shm']) rmSync(`${path}${end}`, { force: true })
    return open(path)
  }
}

class Unusable extends Error {}

/** SQLite tells what is wrong, a full disk or a read-only folder, and not where. */
const unopened = (path: string, error: unknown) =>
  new Error(`Cannot open "${path}": ${error instanceof Error ? error.message : String(error)}`, {
    cause: error,
  })

function open(path: string): Database {
  // SQLite gives its two other files the mode of this one.
  closeSync(openSync(path, 'a', 0o600))
  chmodSync(path, 0o600)
  const database = new Database(path, { readwrite: true, strict: true })
  try {
    database.run(`PRAGMA busy_timeout = ${busyMs}`)
    keepLogBeside(database)
    // What was answered to a page stays, also when the power fails.
    database.run('PRAGMA synchronous = FULL')
    const check = database.query<{ quick_check: string }, []>('PRAGMA quick_check(1)').get()
    if (check?.quick_check !== 'ok') throw new Unusable(check?.quick_check ?? 'no answer')
    bringUpToDate(database)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/** SQLite does not wait by itself for another process that does the same at the same moment. */
function keepLogBeside(database: Database): void {
  const until = performance.now() + busyMs
  for (;;) {
    try {
      database.run('PRAGMA journal_mode = WAL')
      return
    } catch (error) {
      const busy = error instanceof SQLiteError && error.code?.startsWith('SQLITE_BUSY')
      if (!busy || performance.now() > until) throw error
      Bun.sleepSync(againMs)
    }
  }
}

function bringUpToDate(database: Database): void {
  const current = () =>
    database.query<{ user_version: number }, []>('PRAGMA user_version').get()?.user_version ?? 0
  if (current() === versions.length) return
  // Whoever comes second waits, and then finds nothing to do.
  database
    .transaction(() => {
      const from = current()
      if (from > versions.length) throw new Unusable(`its version is ${from}`)
      for (const statements of versions.slice(from)) database.run(statements)
      database.run(`PRAGMA user_version = ${versions.length}`)
    })
    .immediate()
}

const isUnreadable = (error: unknown): error is Error =>
  error instanceof Unusable ||
  (error instanceof SQLiteError && /^SQLITE_(CORRUPT|NOTADB)/.test(error.code ?? ''))
