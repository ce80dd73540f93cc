/** The service on Deno. */
import { getConnInfo } from 'hono/deno'
import { openNodeSqlite } from './db/node-sqlite.ts'
import { run } from './self-hosted/run.ts'

await run({
  open: openNodeSqlite,
  async listen({ host, port }, fetch) {
    const server = Deno.serve(
      { hostname: host, port, onListen: () => undefined },
      (request, info) => fetch(request, info),
    )
    return { port: server.addr.port, close: () => server.shutdown() }
  },
  getPeerAddress: (context) => getConnInfo(context).remote.address ?? '',
})
