/** A program: the bare route with better-sqlite3, over a copy of a file. */
import { copyFileSync } from 'node:fs'
import process from 'node:process'
import Sqlite from 'better-sqlite3'
import { pragmas } from '../src/db/file-driver.ts'
import { serveBareSync } from './bare-sync.ts'

const [source = '', file = ''] = process.argv.slice(2)
copyFileSync(source, file)
const connection = new Sqlite(file)
for (const pragma of pragmas) connection.pragma(pragma)
const ids = connection.prepare('select id from devices').pluck().all() as string[]
const [key = ''] = connection.prepare('select key from devices limit 1').pluck().all() as string[]
const write = connection.prepare(
  'update devices set asserted_at = ?, last_seen_at = ? where id = ?',
)
await serveBareSync(key, ids, (id, now) => write.run(now, now, id))
