/** The servers of the connector: https on both loopback addresses and one port, and http for the local page. */

import { networkInterfaces } from 'node:os'
import { createProblemResponse } from '@cardwire/protocol/hono'
import { Problem } from '@cardwire/protocol/problem'
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

export type LoopbackAddress = '127.0.0.1' | '::1'

export interface ListenOptions {
  /**
   * Another program has one of the addresses: the server has left the other one too, because that program could pass on what it
   * gets, and the connections would be its own. The server tries again until it has both.
   */
  readonly onLost?: (address: LoopbackAddress, port: number) => void
  /** It has both addresses again. */
  readonly onRegained?: (port: number) => void
  /** Whether a second socket of this account can listen on a port that it has, and none of another account; absent: as this system. */
  readonly sharesPorts?: boolean
}

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

/** The system chooses one. */
const anyPort = 0

/** How often a free port is tried; it has to be free on both addresses. */
const maxAttempts = 20

/** How often an address that is missing or lost is tried again, in milliseconds. */
const retryMs = 5000

/**
 * Linux lets sockets of one account share a port (SO_REUSEPORT, socket(7)). Bun 1.4.5 has that option only there: on Windows it
 * would replace the one that keeps others off the port.
 */
const systemSharesPorts = process.platform === 'linux'

/**
 * Listens on the first port of the range that is free on both addresses, and on any other when none is: another account can
 * take the range. Throws when there is no free port at all.
 */
export function listen(
  range: { readonly first: number; readonly last: number },
  materials: ServerCertificates,
  handler: Handler,
  options?: ListenOptions,
): HttpsServer {
  for (let port = range.first; port <= range.last; port += 1) {
    const server = listenOn(port, materials, handler, options)
    if (server) return server
  }
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const server = listenOn(anyPort, materials, handler, options)
    if (server) return server
  }
  throw new Error('Cannot listen: no port is free on 127.0.0.1 and ::1')
}

/** Listens on this port and no other; undefined when another program has it on one of the addresses. */
export function listenOn(
  port: number,
  materials: ServerCertificates,
  handler: Handler,
  { onLost, onRegained, sharesPorts = systemSharesPorts }: ListenOptions = {},
): HttpsServer | undefined {
  const door = { handler, sharesPorts }
  const sockets = tryPort(port, materials, door)
  if (!sockets) return undefined
  return keepListening(sockets, materials, {
    ...door,
    onLost: onLost ?? (() => undefined),
    onRegained: onRegained ?? (() => undefined),
  })
}

/** How sockets are opened. */
interface Door {
  readonly handler: Handler
  readonly sharesPorts: boolean
}

/** The sockets of a port: `six` is undefined on a machine without IPv6, which has one loopback address. */
interface Sockets {
  readonly four: Server<undefined>
  readonly six: Server<undefined> | undefined
}

/** Why an address cannot be had: another program has the port there, or this machine has no such address. */
type Unavailable = 'taken' | 'missing'

function keepListening(
  first: Sockets,
  firstMaterials: ServerCertificates,
  { onLost, onRegained, ...door }: Door & Required<ListenOptions>,
): HttpsServer {
  const port = first.four.port ?? anyPort
  let materials = firstMaterials
  /** undefined: an address is lost. */
  let sockets: Sockets | undefined = first

  function lose(address: LoopbackAddress): void {
    void sockets?.four.stop()
    void sockets?.six?.stop()
    sockets = undefined
    onLost(address, port)
  }

  function regain(): void {
    sockets = tryPort(port, materials, door)
    if (sockets) onRegained(port)
  }

  /** Takes the address as soon as this machine has it, before another account does. */
  function addMissing({ four }: Sockets): void {
    if (!hasAddress('::1')) return
    const six = claim('::1', port, materials, door)
    if (six === 'taken') lose('::1')
    else if (six !== 'missing') sockets = { four, six }
  }

  const timer = setInterval(() => {
    if (!sockets) regain()
    else if (!sockets.six) addMissing(sockets)
  }, retryMs)
  timer.unref()

  return {
    port,
    replaceCertificates(next) {
      materials = next
      if (!sockets) return
      const four = replace('127.0.0.1', sockets.four, port, materials, door)
      if (four === 'taken' || four === 'missing') return lose('127.0.0.1')
      sockets = { ...sockets, four }
      if (!sockets.six) return
      const six = replace('::1', sockets.six, port, materials, door)
      if (six === 'taken') return lose('::1')
      sockets = { four, six: six === 'missing' ? undefined : six }
    },
    async stop() {
      clearInterval(timer)
      await Promise.all([sockets?.four.stop(true), sockets?.six?.stop(true)])
    },
  }
}

function tryPort(port: number, materials: ServerCertificates, door: Door): Sockets | undefined {
  const four = claim('127.0.0.1', port, materials, door)
  if (four === 'taken' || four === 'missing') return undefined
  const six = claim('::1', four.port ?? port, materials, door)
  if (six === 'missing') return { four, six: undefined }
  if (six !== 'taken') return { four, six }
  // A port that is taken only on ::1 is not ours.
  void four.stop(true)
  return undefined
}

/** Whether this machine has an address; a failed attempt to listen costs memory that Bun keeps. */
export function hasAddress(address: LoopbackAddress): boolean {
  try {
    const interfaces = Object.values(networkInterfaces())
    return interfaces.some((each) => each?.some((entry) => entry.address === address))
  } catch {
    // The system does not list them to this account: listening shows it.
    return true
  }
}

/** Listens on a port that no program has, none of this account either. */
function claim(
  address: LoopbackAddress,
  port: number,
  materials: ServerCertificates,
  door: Door,
): Server<undefined> | Unavailable {
  // A socket that shares its port would join those of another connector of this account.
  if (door.sharesPorts && port !== anyPort) {
    const socket = attempt(address, () =>
      Bun.listen({ hostname: address, port, socket: { data: () => undefined } }),
    )
    if (socket === 'taken' || socket === 'missing') return socket
    socket.stop(true)
  }
  return attempt(address, () => serve(address, port, materials, door))
}

/**
 * Replaces a server by one with other certificates (Bun's `reload` silently keeps the old ones); `stop` lets running requests
 * finish. Where ports are shared, the new socket listens before the old one is closed: another account never gets the port.
 */
function replace(
  address: LoopbackAddress,
  old: Server<undefined>,
  port: number,
  materials: ServerCertificates,
  door: Door,
): Server<undefined> | Unavailable {
  if (door.sharesPorts) {
    const next = attempt(address, () => serve(address, port, materials, door))
    void old.stop()
    return next
  }
  void old.stop()
  return attempt(address, () => serve(address, port, materials, door))
}

const toTlsOptions = ([first, ...others]: ServerCertificates) => [
  { cert: first.cert, key: first.key },
  ...others.flatMap(({ cert, key, names = [] }) =>
    names.map((serverName) => ({ cert, key, serverName })),
  ),
]

function serve(
  hostname: LoopbackAddress,
  port: number,
  materials: ServerCertificates,
  { handler, sharesPorts }: Door,
): Server<undefined> {
  return Bun.serve({
    hostname,
    port,
    reusePort: sharesPorts,
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
    // Our own code never throws here; legacy clients need a body all the same.
    error: () =>
      createProblemResponse(
        new Problem('internal', 'Cannot respond: the connector failed'),
        crypto.randomUUID(),
        undefined,
        'wire',
      ),
  })
}

/** Opens a socket. Throws what says nothing about its address. */
function attempt<T>(address: LoopbackAddress, open: () => T): T | Unavailable {
  try {
    return open()
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'EADDRINUSE') return 'taken'
    if (address === '::1' && (code === 'EADDRNOTAVAIL' || code === 'EAFNOSUPPORT')) return 'missing'
    throw error
  }
}
