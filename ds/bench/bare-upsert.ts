/** A program: upserts one row for some seconds with better-sqlite3 alone, and prints how many per second. */
import process from 'node:process'
import Sqlite from 'better-sqlite3'
import { pragmas } from '../src/db/file-driver.ts'
import { measurePerSecond } from './per-second.ts'

const [file = ':memory:', seconds] = process.argv.slice(2)
const connection = new Sqlite(file)
for (const pragma of pragmas) connection.pragma(pragma)
connection.exec(
  'create table if not exists versions (id text primary key, uris text, revision integer, updated_at integer)',
)
const uris = JSON.stringify([{ os: 'UNIX', uri: 'file:///installer.bin' }])
const upsert = connection.prepare(
  `insert into versions values ('4.0.0', ?, 1, ?)
   on conflict (id) do update set uris = excluded.uris, revision = revision + 1, updated_at = excluded.updated_at
   returning *`,
)
console.log(await measurePerSecond(Number(seconds), () => upsert.get(uris, Date.now())))
connection.close()
