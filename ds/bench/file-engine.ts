/** SQLite: a file that the service and the bench have open. */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { pragmas } from '../src/db/file-driver.ts'
import { startBareSync } from './bare-sync.ts'
import { columns, createRestOfRow, createRolloutDevices, type DeviceRow } from './devices-rows.ts'
import type { Engine } from './engine.ts'
import { createLabelRows } from './labels.ts'

export function openFileEngine(database: string): Engine {
  const withConnection = (act: (connection: Sqlite.Database) => void) => {
    const connection = new Sqlite(database)
    for (const pragma of pragmas) connection.pragma(pragma)
    connection.transaction(() => act(connection))()
    connection.pragma('wal_checkpoint(PASSIVE)')
    connection.close()
  }
  return {
    database,
    isShared: false,
    async store(rows: readonly DeviceRow[]) {
      withConnection((connection) => {
        const statement = connection.prepare(
          `insert into devices (${columns}) values (?, ?, ?, ?, ${createRestOfRow(Date.now())})`,
        )
        for (const { id, fingerprint, key, device = '{}' } of rows)
          statement.run(id, fingerprint, key, device)
      })
    },
    async storeLabels(count) {
      const rows = createLabelRows(count)
      withConnection((connection) => {
        // Its organization is the one that `registerBenchData` makes. A key without a label opens nothing.
        const addLabel = connection.prepare(
          "insert into labels (id, name, org_id, created_at, updated_at) values (?, ?, 'bench', ?, ?)",
        )
        const addConsumer = connection.prepare(
          "insert into consumers (kind, id, created_at) values ('application', ?, ?)",
        )
        const addKey = connection.prepare(
          "insert into api_keys (hash, kind, consumer_id, created_at) values (?, 'application', ?, ?)",
        )
        for (const { id, hash } of rows) {
          addLabel.run(id, id, Date.now(), Date.now())
          addConsumer.run(id, Date.now())
          addKey.run(hash, id, Date.now())
        }
      })
      return rows.map(({ apiKey }) => apiKey)
    },
    async storeRolloutDevices(rolloutId, count) {
      withConnection((connection) => {
        connection.prepare(createRolloutDevices(count)).run(rolloutId)
      })
    },
    startBare: (folder, name) =>
      startBareSync(
        folder,
        import.meta.resolve('./bare-sync-file.ts'),
        database,
        join(folder, `${name}.sqlite`),
      ),
    readSize: async () => statSync(database).size,
    close: async () => undefined,
  }
}
