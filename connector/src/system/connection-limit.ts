/** Closes connections of accounts that hold more than their share, on Linux: a header that never ends costs memory before any request is seen. */
import { readdirSync } from 'node:fs'
import { openSocketQuery, type QuerySocket } from './linux-socket-query.ts'
import type { Log } from './log.ts'
import { type ConnectionCalls, openConnectionCalls } from './native.ts'

/** Connections that an account may hold. */
export interface ConnectionLimit {
  /** The account of this process. */
  readonly own: number
  /** Each other account. */
  readonly other: number
  /** All other accounts together: those that hold most lose what is too much. */
  readonly others: number
}

export interface ConnectionLimitOptions {
  /** The port of the server. */
  readonly port: number
  readonly limit: ConnectionLimit
  readonly log: Pick<Log, 'warn'>
  readonly uid?: number | undefined
  readonly query?: QuerySocket
}

interface AcceptedConnection {
  readonly descriptor: number
  readonly user: string
}

/** How often connections are counted, in milliseconds. */
const checkMs = 1000
/** Descriptors that are looked at when the system does not list them: a process without free ones cannot open the list. */
const maxUnlisted = 1024

// Values of socket.h, the same on every processor that Linux binaries are built for.
const families = { ipv4: 2, ipv6: 10 }
const bothDirections = 2
const addressSize = 28

/** Counts every second; other systems do not show owners, or give no access to the server's sockets, and nothing happens there. */
export function limitConnections(options: ConnectionLimitOptions): () => void {
  if (process.platform !== 'linux') return () => undefined
  const closeExcess = createConnectionLimit(options)
  const timer = setInterval(closeExcess, checkMs)
  timer.unref()
  return () => clearInterval(timer)
}

/** Returns a function that counts once, closes what is too much, and returns how many it closed. */
export function createConnectionLimit({
  port,
  limit,
  log,
  uid = process.getuid?.(),
  query = openSocketQuery(),
}: ConnectionLimitOptions): () => number {
  const calls = openCalls()
  if (!calls) return () => 0
  const smallest = Math.min(limit.own, limit.other)
  const warned = new Set<string>()

  return () => {
    const descriptors = listDescriptors()
    if (descriptors.length <= smallest) return 0
    const byUser = Map.groupBy(
      descriptors.flatMap((descriptor) => findConnection(calls, descriptor, port, query) ?? []),
      ({ user }) => user,
    )
    const isOwn = (user: string) => user === String(uid)
    const held = [...byUser].flatMap(([user, { length }]) => (isOwn(user) ? [] : [length]))
    const share = Math.min(limit.other, findEqualShare(held, limit.others))
    let closed = 0
    for (const [user, connections] of byUser) {
      const excess = connections.slice(isOwn(user) ? limit.own : share)
      // The descriptor cannot be another's: nothing else of this process runs between the look-up and this call.
      for (const { descriptor } of excess) calls.shutdown(descriptor, bothDirections)
      closed += excess.length
      if (excess.length > 0 && !warned.has(user)) {
        log.warn('connections of an account closed: it holds too many', {
          user,
          held: connections.length,
        })
        warned.add(user)
      }
    }
    return closed
  }
}

/** How many each account may hold, so that all together hold `total` at most: those that hold less than an equal share keep all. */
function findEqualShare(held: readonly number[], total: number): number {
  let remaining = total
  for (const [index, count] of held.toSorted((a, b) => a - b).entries()) {
    const share = Math.floor(remaining / (held.length - index))
    if (count > share) return share
    remaining -= count
  }
  return Number.POSITIVE_INFINITY
}

function openCalls(): ConnectionCalls | undefined {
  try {
    return openConnectionCalls()
  } catch {
    // Another C library than that of GNU.
    return undefined
  }
}

/** The open descriptors of this process, in their order. */
function listDescriptors(): readonly number[] {
  try {
    return readdirSync('/proc/self/fd')
      .map(Number)
      .toSorted((a, b) => a - b)
  } catch {
    return Array.from({ length: maxUnlisted }, (_, descriptor) => descriptor)
  }
}

/** The connection of a descriptor; undefined when it is something else, or the system does not say whose it is. */
function findConnection(
  calls: ConnectionCalls,
  descriptor: number,
  port: number,
  query: QuerySocket,
): AcceptedConnection | undefined {
  const own = readAddress(calls.getsockname, descriptor)
  if (own?.port !== port) return undefined
  const peer = readAddress(calls.getpeername, descriptor)
  if (peer === undefined) return undefined
  const found = query({ local: peer.address, remote: own.address }, peer.port, port)
  return found?.kind === 'held' ? { descriptor, user: found.user } : undefined
}

/** sockaddr_in and sockaddr_in6; undefined for other sockets, and for descriptors that are none. */
function readAddress(
  call: ConnectionCalls['getpeername'],
  descriptor: number,
): { readonly address: Buffer; readonly port: number } | undefined {
  const bytes = Buffer.alloc(addressSize)
  if (call(descriptor, bytes, new Uint32Array([addressSize])) !== 0) return undefined
  const family = bytes.readUInt16LE(0)
  const port = bytes.readUInt16BE(2)
  if (family === families.ipv4) return { address: bytes.subarray(4, 8), port }
  return family === families.ipv6 ? { address: bytes.subarray(8, 24), port } : undefined
}
