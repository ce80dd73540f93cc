/** A program: the bare route with pg and a pool as large as the service's, over a copy of the devices. */
import process from 'node:process'
import pg from 'pg'
import { maxConnections } from '../src/db/postgres.ts'
import { bareTable, serveBareSync } from './bare-sync.ts'

const [database = ''] = process.argv.slice(2)
const pool = new pg.Pool({ connectionString: database, max: maxConnections.requests })
const { rows } = await pool.query<{ id: string; key: string }>(
  `select id, key from ${bareTable} order by rowid`,
)
const text = `update ${bareTable} set asserted_at = $1, last_seen_at = $2 where id = $3`
await serveBareSync(
  rows[0]?.key ?? '',
  rows.map(({ id }) => id),
  (id, now) => pool.query({ name: 'write', text, values: [now, now, id] }),
)
