/** Queries Linux for one socket by its endpoints, by sock_diag(7); the tables of /proc would have to be read whole. */
import { openSocketCalls, type SocketCalls } from './native.ts'
import type { Endpoints } from './peer-address.ts'

/** The client's end of a connection, as the system has it. */
export type SocketLookup =
  | { readonly kind: 'held'; readonly user: string }
  /** There is none, or its process has closed it: the user in the reply is then not the client. */
  | { readonly kind: 'gone' }
  /** There is none in this table; it may be in that of the other family. */
  | { readonly kind: 'none' }

/** Undefined when this system does not support such queries. */
export type QuerySocket = (ends: Endpoints, from: number, to: number) => SocketLookup | undefined

// Values of socket.h, netlink.h, sock_diag.h, inet_diag.h and tcp_states.h.
const netlink = { family: 16, datagramThatChildrenDoNotGet: 0o2000002, sockDiag: 4 }
const message = { query: 20, request: 1, error: 2, noSuchThing: -2 }
const families = { 4: 2, 16: 10 } as const
const tcp = 6
const listening = 10
const doNotWait = 0x40
/** Bytes: the header of a message, a request without it, and a reply with it. */
const headerSize = 16
const requestSize = 56
const replySize = 88

/** Opens one socket for the life of the process: queries work also when descriptors run out later. */
export function openSocketQuery(): QuerySocket {
  const open = (): { calls: SocketCalls; fd: number } | undefined => {
    try {
      const calls = openSocketCalls()
      const { family, datagramThatChildrenDoNotGet, sockDiag } = netlink
      const fd = calls.socket(family, datagramThatChildrenDoNotGet, sockDiag)
      return fd < 0 ? undefined : { calls, fd }
    } catch {
      // Another C library than that of GNU.
      return undefined
    }
  }
  const opened = open()
  if (!opened) return () => undefined
  const { calls, fd } = opened
  const buffer = Buffer.alloc(1024)
  let sequence = 0
  // Without its kernel module nothing is found either; a family with one result has the module.
  const proven = new Set<number>()

  return (ends, from, to) => {
    sequence = (sequence + 1) % 2 ** 32
    const request = encodeRequest(ends, from, to, sequence)
    const sent = Number(calls.send(fd, request, request.length, doNotWait))
    if (sent !== request.length) return undefined
    // The reply is there when `send` returns; replies to earlier requests are skipped.
    let size: number
    do {
      size = Number(calls.recv(fd, buffer, buffer.length, doNotWait))
      if (size < headerSize) return undefined
    } while (buffer.readUInt32LE(8) !== sequence)
    const family = ends.local.length
    const found = decodeReply(buffer.subarray(0, size), from, to)
    if (found === 'nothing') return proven.has(family) ? { kind: 'gone' } : undefined
    if (found) proven.add(family)
    return found
  }
}

/** nlmsghdr and inet_diag_req_v2: ports and addresses in network order, the rest as this processor writes numbers. */
function encodeRequest(
  { local, remote }: Endpoints,
  from: number,
  to: number,
  sequence: number,
): Buffer {
  const bytes = Buffer.alloc(headerSize + requestSize)
  bytes.writeUInt32LE(bytes.length, 0)
  bytes.writeUInt16LE(message.query, 4)
  bytes.writeUInt16LE(message.request, 6)
  bytes.writeUInt32LE(sequence, 8)
  bytes.writeUInt8(local.length === 4 ? families[4] : families[16], 16)
  bytes.writeUInt8(tcp, 17)
  bytes.writeUInt32LE(0xffffffff, 20)
  bytes.writeUInt16BE(from, 24)
  bytes.writeUInt16BE(to, 26)
  local.copy(bytes, 28)
  remote.copy(bytes, 44)
  // INET_DIAG_NOCOOKIE: whichever socket has these endpoints.
  bytes.fill(0xff, 64)
  return bytes
}

/** inet_diag_msg, or an error. 'nothing': there is no such socket, or no kernel module that knows. */
function decodeReply(
  answer: Buffer,
  from: number,
  to: number,
): SocketLookup | 'nothing' | undefined {
  const type = answer.readUInt16LE(4)
  if (type === message.error) {
    return answer.readInt32LE(headerSize) === message.noSuchThing ? 'nothing' : undefined
  }
  if (type !== message.query || answer.length < replySize) return undefined
  // Where no connection has these endpoints, the listening socket of the port is returned instead.
  const isSameConnection = answer.readUInt16BE(20) === from && answer.readUInt16BE(22) === to
  if (!isSameConnection || answer.readUInt8(17) === listening) return 'nothing'
  const inode = answer.readUInt32LE(84)
  return inode === 0 ? { kind: 'gone' } : { kind: 'held', user: String(answer.readUInt32LE(80)) }
}
