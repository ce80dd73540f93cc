/** Finds out whether an error means that nothing can be stored or read, from the error of any driver or of the file system. */
import { DrizzleQueryError } from 'drizzle-orm'
import type { StorageFaultKind } from '../ports.ts'
import { PostgresError } from './postgres-error.ts'

type Fault = readonly [pattern: RegExp, text: string, kind: StorageFaultKind]

/** The fault of a file whose pages make no sense. */
export const damaged = 'the database is damaged'

/**
 * SQLite's own texts (sqlite3_errstr, sqlite.org/rescode.html), those of D1 (developers.cloudflare.com/d1/observability/debug-d1),
 * and codes of the system (errno(3)), by what they mean.
 */
const faults: readonly Fault[] = [
  [/database or disk is full|ENOSPC/, 'the disk is full', 'full'],
  [/attempt to write a readonly database/, 'the database is read-only', 'read-only'],
  [/EROFS/, 'the file system is read-only', 'read-only'],
  [/disk I\/O error|EIO\b/, 'the disk reports an error, or is full', 'full'],
  [/database disk image is malformed|file is not a database/, damaged, 'damaged'],
  [/\bE[MN]FILE\b/, 'too many files and connections are open (ulimit -n)', 'unreachable'],
  [/unable to open database file/, 'the database file cannot be opened', 'unreachable'],
  [/database (table )?is locked|D1 DB is overloaded/, 'the database is busy', 'busy'],
  [/Exceeded maximum DB size|maximum account storage/, 'the database is full', 'full'],
  [
    /D1_ERROR: (Network connection lost|internal error)|Cannot resolve D1 DB|caused object to be reset|D1 DB.* reset/,
    'the database cannot be reached',
    'unreachable',
  ],
]

/** States of PostgreSQL (postgresql.org/docs/current/errcodes-appendix.html), by what they mean. */
const states: readonly Fault[] = [
  [/^(08|57P)/, 'the database cannot be reached', 'unreachable'],
  [/^28|^3D000/, 'the database refuses the login of the service', 'unreachable'],
  [/^53100/, 'the disk of the database is full', 'full'],
  [/^53/, 'the database has no place for another connection', 'busy'],
  [/^25006/, 'the database is read-only', 'read-only'],
  [/^40|^55P03|^57014/, 'the database is busy', 'busy'],
]

/** What is wrong with the storage, or undefined when `error` is another failure. */
export const findStorageFault = (error: unknown): string | undefined => findFault(error)?.[1]

/** The same in a word, for the metrics. */
export const findStorageFaultKind = (error: unknown): StorageFaultKind | undefined =>
  findFault(error)?.[2]

function findFault(error: unknown): Fault | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    // Drizzle's message repeats the bound values, which may contain any text.
    if (cause instanceof DrizzleQueryError) continue
    if (cause instanceof PostgresError) {
      const { state } = cause
      return states.find(([pattern]) => pattern.test(state))
    }
    const { message } = cause
    const fault = faults.find(([pattern]) => pattern.test(message))
    if (fault) return fault
  }
  return undefined
}
