/** Lets one process at a time hold a folder, by a lock of the system that ends with its process, however that ends. */
import { Database, SQLiteError } from 'bun:sqlite'
import { chmodSync, closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { errorText } from './error-text.ts'

/** Holds the lock until it is called; it is also released when the process ends. */
export type Release = () => void

/**
 * Locks `name` in the folder; undefined when another process holds it. SQLite takes the lock: fcntl(2) on POSIX, LockFileEx
 * on Windows. Throws when the file cannot be created.
 */
export function tryLockFile(folder: string, name: string): Release | undefined {
  const path = join(folder, name)
  closeSync(openSync(path, 'a', 0o600))
  chmodSync(path, 0o600)
  const database = new Database(path, { readwrite: true })
  try {
    // No journal on a disk that may be full.
    database.run('PRAGMA journal_mode = MEMORY')
    // The lock of a transaction that never ends; the file stays empty.
    database.run('BEGIN EXCLUSIVE')
    return () => database.close()
  } catch (error) {
    database.close()
    if (error instanceof SQLiteError && error.code?.startsWith('SQLITE_BUSY')) return undefined
    throw new Error(`Cannot lock "${path}": ${errorText(error)}`, { cause: error })
  }
}
