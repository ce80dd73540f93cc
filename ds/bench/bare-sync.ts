/** A program: one route of Hono on Node that verifies an ES256 signature and writes a row with better-sqlite3. */
import { copyFileSync } from 'node:fs'
import process from 'node:process'
import { serve } from '@hono/node-server'
import Sqlite from 'better-sqlite3'
import { Hono } from 'hono'
import { type CryptoKey, compactVerify, importJWK } from 'jose'
import { pragmas } from '../src/db/file-driver.ts'

const [source = '', file = ''] = process.argv.slice(2)
copyFileSync(source, file)
const connection = new Sqlite(file)
for (const pragma of pragmas) connection.pragma(pragma)
const ids = connection.prepare('select id from devices').pluck().all() as string[]
const [known] = connection.prepare('select key from devices limit 1').pluck().all() as string[]
const key = (await importJWK(JSON.parse(known ?? ''), 'ES256')) as CryptoKey
const write = connection.prepare(
  'update devices set asserted_at = ?, last_seen_at = ? where id = ?',
)

let at = 0
const app = new Hono()
app.post('/v3/devices/sync', async (context) => {
  const { version } = await context.req.json<{ version: string }>()
  await compactVerify(context.req.header('authorization')?.slice('Bearer '.length) ?? '', key)
  at = (at + 1) % ids.length
  write.run(Date.now(), Date.now(), ids[at])
  return context.json({ success: true, data: version })
})
serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, ({ port }) =>
  console.log(`listens on http://127.0.0.1:${port}`),
)
