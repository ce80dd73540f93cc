/** The one HTTPS server of the connector: both loopback addresses on one port. */
import { Problem } from '@cardwire/client/protocol'
import { problemResponse } from '@cardwire/client/protocol/hono'
import type { Server } from 'bun'

export interface Peer {
  readonly address: string
  readonly port: number
}

/** What a request is handed on with. */
export interface Connection {
  readonly peer: Peer
  /** The port it came in on. */
  readonly port: number
  /** Lets this request take as long as it likes; Bun ends silent ones after ten seconds otherwise. */
  keepOpen(): void
}

export interface Material {
  readonly cert: string
  readonly key: string
  /** The server names that it is shown for; none for the first, which is shown for all others. */
  readonly names?: readonly string[]
}

/** What is shown, chosen by server name (RFC 6066 §3). */
export type Materials = readonly [Material, ...Material[]]

export type Handler = (request: Request, connection: Connection) => Response | Promise<Response>

export interface HttpsServer {
  readonly port: number
  /** Serves other certificates from now on; requests under way go on. */
  replace(materials: Materials): void
  stop(): Promise<void>
}

const addresses = ['127.0.0.1', '::1'] as const

/** Listens on the first port of the range that is free on both addresses. Throws when none is. */
export function listen(
  range: { readonly first: number; readonly last: number },
  materials: Materials,
  handler: Handler,
): HttpsServer {
  for (let port = range.first; port <= range.last; port += 1) {
    const server = listenOn(port, materials, handler)
    if (server) return server
  }
  throw new Error(
    `Cannot listen: no port from ${range.first} to ${range.last} is free on 127.0.0.1 and ::1`,
  )
}

/** Listens on this port and no other; undefined when another program has it on one of the addresses. */
export function listenOn(
  port: number,
  materials: Materials,
  handler: Handler,
): HttpsServer | undefined {
  const servers = tryPort(port, materials, handler)
  return servers && running(port, servers, handler)
}

function running(port: number, first: Server<undefined>[], handler: Handler): HttpsServer {
  let servers = first
  return {
    port,
    replace(materials) {
      // `reload` keeps the old certificate without a word; a new server on the port takes over in milliseconds, and
      // `stop` leaves what is under way alone.
      for (const server of servers) void server.stop()
      servers = addresses.flatMap((address) => serve(address, port, materials, handler) ?? [])
      if (servers.length === 0) throw new Error(`Cannot listen on port ${port} again`)
    },
    async stop() {
      await Promise.all(servers.map((server) => server.stop(true)))
    },
  }
}

function tryPort(
  port: number,
  materials: Materials,
  handler: Handler,
): Server<undefined>[] | undefined {
  const first = serve('127.0.0.1', port, materials, handler)
  if (!first) return undefined
  const second = serve('::1', port, materials, handler)
  if (second) return [first, second]
  // A machine without IPv6 has one loopback address; a port taken on ::1 alone is not ours.
  if (ipv6Missing) return [first]
  void first.stop(true)
  return undefined
}

let ipv6Missing = false

const tlsOf = ([first, ...others]: Materials) => [
  { cert: first.cert, key: first.key },
  ...others.flatMap(({ cert, key, names = [] }) =>
    names.map((serverName) => ({ cert, key, serverName })),
  ),
]

function serve(
  address: string,
  port: number,
  materials: Materials,
  handler: Handler,
): Server<undefined> | undefined {
  try {
    return Bun.serve({
      hostname: address,
      port,
      tls: tlsOf(materials),
      // Our own limit answers first, with a body; Bun's would be an empty one.
      maxRequestBodySize: Number.MAX_SAFE_INTEGER,
      fetch: (request, server) => {
        const peer = server.requestIP(request)
        const connection: Connection = {
          peer: { address: peer?.address ?? '', port: peer?.port ?? 0 },
          port,
          keepOpen: () => server.timeout(request, 0),
        }
        return handler(request, connection)
      },
      // Not reached by our own code; a body all the same, because deployed clients wait for one.
      error: () =>
        problemResponse(
          new Problem('internal', 'Cannot answer: the connector failed'),
          crypto.randomUUID(),
          undefined,
          'wire',
        ),
    })
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'EADDRINUSE') return undefined
    if (address === '::1' && (code === 'EADDRNOTAVAIL' || code === 'EAFNOSUPPORT')) {
      ipv6Missing = true
      return undefined
    }
    throw error
  }
}
