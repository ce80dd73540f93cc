/** The servers of the connector: https on both loopback addresses and one port, and http for the local page. */

import { createProblemResponse } from '@cardwire/client/protocol/hono'
import { Problem } from '@cardwire/client/protocol/problem'
import type { Server } from 'bun'

export interface Peer {
  readonly address: string
  readonly port: number
}

/** The connection of a request. */
export interface Connection {
  /** undefined: the other end has reset it, and the system does not say any more who that was. */
  readonly peer: Peer | undefined
  /** The port it came in on. */
  readonly port: number
  /** Lets this request stay open without data; otherwise Bun ends it after ten seconds. */
  keepOpen(): void
}

export interface ServerCertificate {
  readonly cert: string
  readonly key: string
  /** The server names that it is served for; none for the first, which is served for all others. */
  readonly names?: readonly string[]
}

/** The certificates of a server, chosen by server name (RFC 6066 §3). */
export type ServerCertificates = readonly [ServerCertificate, ...ServerCertificate[]]

export type Handler = (request: Request, connection: Connection) => Response | Promise<Response>

export interface HttpsServer {
  readonly port: number
  /** Serves other certificates from now on; running requests continue. */
  replaceCertificates(materials: ServerCertificates): void
  stop(): Promise<void>
}

export type HttpServer = Pick<HttpsServer, 'port' | 'stop'>

/** Listens without TLS on any free port of 127.0.0.1: for a page that explains why no browser trusts the certificate. */
export function listenWithoutTls(handler: Handler): HttpServer {
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: anyPort,
    maxRequestBodySize: maxPlainBodyBytes,
    fetch: (request, server) =>
      handler(request, {
        peer: server.requestIP(request) ?? undefined,
        port: server.port ?? anyPort,
        keepOpen: () => server.timeout(request, 0),
      }),
    error: () => new Response(null, { status: 500 }),
  })
  return { port: server.port ?? anyPort, stop: () => server.stop(true) }
}

/** Bytes of a body that is read without TLS: a form of two fields. */
const maxPlainBodyBytes = 16_384

const addresses = ['127.0.0.1', '::1'] as const
/** The system chooses one. */
const anyPort = 0

/** How often a free port is tried; it has to be free on both addresses. */
const maxAttempts = 20

/**
 * Listens on the first port of the range that is free on both addresses, and on any other when none is: another account can
 * take the range. Throws when there is no free port at all.
 */
export function listen(
  range: { readonly first: number; readonly last: number },
  materials: ServerCertificates,
  handler: Handler,
): HttpsServer {
  for (let port = range.first; port <= range.last; port += 1) {
    const server = listenOn(port, materials, handler)
    if (server) return server
  }
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const server = listenOn(anyPort, materials, handler)
    if (server) return server
  }
  throw new Error('Cannot listen: no port is free on 127.0.0.1 and ::1')
}

/** Listens on this port and no other; undefined when another program has it on one of the addresses. */
export function listenOn(
  port: number,
  materials: ServerCertificates,
  handler: Handler,
): HttpsServer | undefined {
  const servers = tryPort(port, materials, handler)
  return servers && toHttpsServer(servers[0].port ?? port, servers, handler)
}

function toHttpsServer(
  port: number,
  first: readonly Server<undefined>[],
  handler: Handler,
): HttpsServer {
  let servers: readonly Server<undefined>[] = first
  return {
    port,
    replaceCertificates(materials) {
      // `reload` silently keeps the old certificate; a new server takes over the port in milliseconds, and `stop` lets
      // running requests finish.
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
  materials: ServerCertificates,
  handler: Handler,
): readonly [Server<undefined>, ...Server<undefined>[]] | undefined {
  const first = serve('127.0.0.1', port, materials, handler)
  if (!first) return undefined
  const second = serve('::1', first.port ?? port, materials, handler)
  if (second) return [first, second]
  // A machine without IPv6 has one loopback address; a port taken on ::1 alone is not ours.
  if (ipv6Missing) return [first]
  void first.stop(true)
  return undefined
}

let ipv6Missing = false

const toTlsOptions = ([first, ...others]: ServerCertificates) => [
  { cert: first.cert, key: first.key },
  ...others.flatMap(({ cert, key, names = [] }) =>
    names.map((serverName) => ({ cert, key, serverName })),
  ),
]

function serve(
  address: string,
  port: number,
  materials: ServerCertificates,
  handler: Handler,
): Server<undefined> | undefined {
  try {
    return Bun.serve({
      hostname: address,
      port,
      tls: toTlsOptions(materials),
      // Our own limit answers first, with a body; Bun's would be an empty one.
      maxRequestBodySize: Number.MAX_SAFE_INTEGER,
      fetch: (request, server) => {
        const connection: Connection = {
          peer: server.requestIP(request) ?? undefined,
          port: server.port ?? port,
          keepOpen: () => server.timeout(request, 0),
        }
        return handler(request, connection)
      },
      // Our own code never throws here; deployed clients need a body all the same.
      error: () =>
        createProblemResponse(
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
