/** The service on Deno. */
import { getConnInfo } from 'hono/deno'
import { nodeSqlite } from './db/node-sqlite.ts'
import { run } from './local/run.ts'

await run({
  open: nodeSqlite,
  async listen({ host, port }, fetch) {
    const server = Deno.serve(
      { hostname: host, port, onListen: () => undefined },
      (request, info) => fetch(request, info),
    )
    return { port: server.addr.port, close: () => server.shutdown() }
  },
  peer: (context) => getConnInfo(context).remote.address ?? '',
})
