/** Labels with an API key each; creating each over HTTP would be another measurement. */
import { createHash } from 'node:crypto'
import Sqlite from 'better-sqlite3'
import { pragmas } from '../src/db/file-driver.ts'

/** Stores them in a file that a service has open; returns their keys. */
export function storeLabels(database: string, count: number): string[] {
  const keys = Array.from({ length: count }, () => crypto.randomUUID())
  const connection = new Sqlite(database)
  for (const pragma of pragmas) connection.pragma(pragma)
  const addConsumer = connection.prepare(
    "insert into consumers (kind, id, created_at) values ('application', ?, ?)",
  )
  const addKey = connection.prepare(
    "insert into api_keys (hash, kind, consumer_id, created_at) values (?, 'application', ?, ?)",
  )
  connection.transaction(() => {
    for (const [at, key] of keys.entries()) {
      addConsumer.run(`bench${at}`, Date.now())
      addKey.run(createHash('sha256').update(key).digest('hex'), `bench${at}`, Date.now())
    }
  })()
  connection.close()
  return keys
}
