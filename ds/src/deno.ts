/** The service on Deno. */
import { getConnInfo } from '@hono/node-server/conninfo'
import { openNodeSqlite } from './db/node-sqlite.ts'
import { allowUpload, holdResponse, listen } from './self-hosted/node-server.ts'
import { run } from './self-hosted/run.ts'

await run({
  open: openNodeSqlite,
  listen,
  allowLongBody: allowUpload,
  holdResponse,
  getPeerAddress: (context) => getConnInfo(context).remote.address ?? '',
})
