/** The service on Node. */
import { getConnInfo } from '@hono/node-server/conninfo'
import { betterSqlite3 } from './db/better-sqlite3.ts'
import { prometheus } from './local/metrics.ts'
import { listen } from './local/node-server.ts'
import { run } from './local/run.ts'

await run({
  open: betterSqlite3,
  listen,
  peer: (context) => getConnInfo(context).remote.address ?? '',
  metrics: prometheus(),
})
