/** The service on Node. */
import { getConnInfo } from '@hono/node-server/conninfo'
import { openBetterSqlite3 } from './db/better-sqlite3.ts'
import { allowUpload, holdResponse, listen } from './self-hosted/node-server.ts'
import { createPrometheusMetrics } from './self-hosted/prometheus.ts'
import { run } from './self-hosted/run.ts'

await run({
  open: openBetterSqlite3,
  listen,
  allowLongBody: allowUpload,
  holdResponse,
  getPeerAddress: (context) => getConnInfo(context).remote.address ?? '',
  metrics: createPrometheusMetrics(),
})
