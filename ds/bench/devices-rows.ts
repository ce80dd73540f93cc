/** Devices as a registration leaves them in a database; a registration each over HTTP would be another measurement. */
import Sqlite from 'better-sqlite3'
import { pragmas } from '../src/db/file-driver.ts'

interface DeviceRow {
  readonly id: string
  readonly fingerprint: string
  /** JSON. */
  readonly key: string
}

export type StoreDevices = (rows: readonly DeviceRow[]) => void | Promise<void>

export const columns =
  'id, fingerprint, key, version, platform, device, user, blocked, registrations, registered_at, created_at, asserted_at, last_seen_at, last_seen_day, revision, faults'

/** What stands behind id, fingerprint and key; nothing in it needs an escape. */
export function createRestOfRow(now: number): string {
  const day = Math.floor(now / 86_400_000)
  return `'4.0.0', 'UNIX', '{}', '{}', 0, 1, ${now}, ${now}, 0, ${now}, ${day}, 0, '[]'`
}

/** Into a file that a service has open. */
export const createFileStore =
  (database: string): StoreDevices =>
  (rows) => {
    const connection = new Sqlite(database)
    for (const pragma of pragmas) connection.pragma(pragma)
    const statement = connection.prepare(
      `insert into devices (${columns}) values (?, ?, ?, ${createRestOfRow(Date.now())})`,
    )
    connection.transaction(() => {
      for (const { id, fingerprint, key } of rows) statement.run(id, fingerprint, key)
    })()
    connection.pragma('wal_checkpoint(PASSIVE)')
    connection.close()
  }
