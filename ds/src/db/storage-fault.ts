/** Finds out whether an error means that nothing can be stored or read, from the error of any driver or of the file system. */
import { DrizzleQueryError } from 'drizzle-orm'
import { PostgresError } from './postgres-error.ts'

/** The fault of a file whose pages make no sense. */
export const damaged = 'the database is damaged'

/**
 * SQLite's own texts (sqlite3_errstr, sqlite.org/rescode.html), those of D1 (developers.cloudflare.com/d1/observability/debug-d1),
 * and codes of the system (errno(3)), by what they mean.
 */
const faults: readonly (readonly [RegExp, string])[] = [
  [/database or disk is full|ENOSPC/, 'the disk is full'],
  [/attempt to write a readonly database/, 'the database is read-only'],
  [/EROFS/, 'the file system is read-only'],
  [/disk I\/O error|EIO\b/, 'the disk reports an error, or is full'],
  [/database disk image is malformed|file is not a database/, damaged],
  [/\bE[MN]FILE\b/, 'too many files and connections are open (ulimit -n)'],
  [/unable to open database file/, 'the database file cannot be opened'],
  [/database (table )?is locked|D1 DB is overloaded/, 'the database is busy'],
  [/Exceeded maximum DB size|maximum account storage/, 'the database is full'],
  [
    /D1_ERROR: (Network connection lost|internal error)|Cannot resolve D1 DB|caused object to be reset|D1 DB.* reset/,
    'the database cannot be reached',
  ],
]

/** States of PostgreSQL (postgresql.org/docs/current/errcodes-appendix.html), by what they mean. */
const states: readonly (readonly [RegExp, string])[] = [
  [/^(08|57P)/, 'the database cannot be reached'],
  [/^28|^3D000/, 'the database refuses the login of the service'],
  [/^53100/, 'the disk of the database is full'],
  [/^53/, 'the database has no place for another connection'],
  [/^25006/, 'the database is read-only'],
  [/^40|^55P03|^57014/, 'the database is busy'],
]

/** What is wrong with the storage, or undefined when `error` is another failure. */
export function findStorageFault(error: unknown): string | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    // Drizzle's message repeats the bound values, which may contain any text.
    if (cause instanceof DrizzleQueryError) continue
    if (cause instanceof PostgresError) {
      const { state } = cause
      return states.find(([pattern]) => pattern.test(state))?.[1]
    }
    const { message } = cause
    const fault = faults.find(([pattern]) => pattern.test(message))
    if (fault) return fault[1]
  }
  return undefined
}
