/** The revision of the state database: a number that grows with each change of consents, also stored in a file beside it. */
import type { Database } from 'bun:sqlite'
import { readFileSync } from 'node:fs'
import writeFileAtomic from 'write-file-atomic'
import { ignoreMissing } from '../missing-file.ts'

/** The file beside the database. */
export const getRevisionPath = (databasePath: string) => `${databasePath}.revision`

/** The stored number; undefined when there is none, or the file has something else. Throws when it cannot be read. */
export function readStoredRevision(databasePath: string): number | undefined {
  try {
    const text = readFileSync(getRevisionPath(databasePath), 'utf8')
    return /^\d{1,15}\n$/.test(text) ? Number(text) : undefined
  } catch (error) {
    return ignoreMissing(error)
  }
}

export const readRevision = (database: Database): number =>
  database.query<{ number: number }, []>('SELECT number FROM revision').get()?.number ?? 0

/** Makes a change that an older database must not undo, and stores its revision; `change` returns how many rows it changed, and so does this. */
export function changeForGood(database: Database, change: () => number): number {
  const changed = database
    .transaction(() => {
      const count = change()
      if (count > 0) database.query('UPDATE revision SET number = number + 1').run()
      return count
    })
    .immediate()
  if (changed === 0) return 0
  try {
    storeRevision(database)
  } catch {
    // The change itself is on disk; the next change or the next start stores the revision.
  }
  return changed
}

/** After a change, so that the file is never ahead of the database. Throws when it cannot be written. */
export function storeRevision(database: Database): void {
  let stored: number
  do {
    stored = readRevision(database)
    writeFileAtomic.sync(getRevisionPath(database.filename), `${stored}\n`, { mode: 0o600 })
    // Another process may have changed it meanwhile, and written before this one.
  } while (readRevision(database) !== stored)
}
