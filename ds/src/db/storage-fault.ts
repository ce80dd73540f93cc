/** Finds out whether an error means that nothing can be stored or read, from the error of any driver or of the file system. */
import { DrizzleQueryError } from 'drizzle-orm'

/** The fault of a file whose pages make no sense. */
export const damaged = 'the database is damaged'

/** SQLite's own texts (sqlite3_errstr, sqlite.org/rescode.html), and codes of the system (errno(3)), by what they mean. */
const faults: readonly (readonly [RegExp, string])[] = [
  [/database or disk is full|ENOSPC/, 'the disk is full'],
  [/attempt to write a readonly database/, 'the database is read-only'],
  [/EROFS/, 'the file system is read-only'],
  [/disk I\/O error|EIO\b/, 'the disk reports an error, or is full'],
  [/database disk image is malformed|file is not a database/, damaged],
  [/\bE[MN]FILE\b/, 'too many files and connections are open (ulimit -n)'],
  [/unable to open database file/, 'the database file cannot be opened'],
]

/** What is wrong with the storage, or undefined when `error` is another failure. */
export function findStorageFault(error: unknown): string | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    // Drizzle's message repeats the bound values, which may contain any text.
    if (cause instanceof DrizzleQueryError) continue
    const { message } = cause
    const fault = faults.find(([pattern]) => pattern.test(message))
    if (fault) return fault[1]
  }
  return undefined
}
