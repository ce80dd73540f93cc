/** What the hours leave behind: memory, the database, the log. */
import { heapStats } from 'bun:jsc'
import { Database } from 'bun:sqlite'
import type { LogFolder } from './log-folder.ts'
import type { Results } from './results.ts'
import { type DatabaseSize, readDatabaseSize } from './tables.ts'

export interface Measured {
  readonly at: number
  readonly heapBytes: number
  readonly database: DatabaseSize
}

/** `at`: milliseconds since 1970. */
export const measure = (at: number, databaseFile: string): Measured => ({
  at,
  heapBytes: measureHeap(),
  database: readDatabaseSize(databaseFile),
})

/** What is in use when all that nobody holds is gone. */
function measureHeap(): number {
  for (let round = 0; round < 3; round += 1) Bun.gc(true)
  return heapStats().heapSize
}

/** More is what the programs keep of each hour. */
const maxHeapGrowth = { share: 0.1, bytes: 4 * 1024 * 1024 }

export function checkHeap(before: Measured, after: Measured, results: Results): void {
  const most = before.heapBytes * (1 + maxHeapGrowth.share) + maxHeapGrowth.bytes
  results.check(
    'memory-flat',
    after.heapBytes <= most,
    () => `${before.heapBytes} bytes of memory became ${after.heapBytes}`,
  )
}

/** Every use of a card is counted, and none twice. */
export function checkUses(file: string, uses: number, results: Results): void {
  const database = new Database(file, { readonly: true })
  const counted = database
    .query<{ n: number }, []>('SELECT coalesce(sum(count), 0) AS n FROM counters')
    .get()
  database.close()
  results.count('use of a card', uses)
  results.check('counted-once', counted?.n === uses, () => `${uses} uses, ${counted?.n} counted`)
}

/** In megabytes, in the middle of the hours and at their end. */
export function printSizes(
  before: Measured,
  after: Measured,
  { files, bytes }: LogFolder,
): readonly string[] {
  const print = (what: string, then: number | undefined, now: number) =>
    `${(then === undefined ? '' : toMegabytes(then)).padStart(8)}${toMegabytes(now).padStart(8)} MB  ${what}`
  return [
    print('database of the service', before.database.bytes, after.database.bytes),
    print('its write-ahead log', before.database.logBytes, after.database.logBytes),
    print('memory after garbage collection', before.heapBytes, after.heapBytes),
    print(`log of the connectors, ${files} files`, undefined, bytes),
  ]
}

const toMegabytes = (bytes: number) => (bytes / 1024 / 1024).toFixed(1)
