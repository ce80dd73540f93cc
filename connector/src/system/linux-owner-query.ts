/** Asks Linux for one socket by its ends: sock_diag(7). It looks it up, where the tables of /proc are read whole. */
import { openSocketCalls, type SocketCalls } from './native.ts'
import type { Ends } from './owner-address.ts'

/** What a caller's end of a connection is to the system. */
export type Found =
  | { readonly kind: 'held'; readonly user: string }
  /** There is none, or its process has closed it: the user that stands there then is not the caller. */
  | { readonly kind: 'gone' }
  /** There is none in this table; one of the other family may hold it. */
  | { readonly kind: 'none' }

/** undefined: this system does not answer such questions. */
export type AskSystem = (ends: Ends, from: number, to: number) => Found | undefined

// Values of socket.h, netlink.h, sock_diag.h, inet_diag.h and tcp_states.h.
const netlink = { family: 16, datagramThatChildrenDoNotGet: 0o2000002, sockDiag: 4 }
const message = { query: 20, request: 1, error: 2, noSuchThing: -2 }
const families = { 4: 2, 16: 10 } as const
const tcp = 6
const listening = 10
const doNotWait = 0x40
/** Bytes: the header of a message, a question behind it, and an answer with its header. */
const headerSize = 16
const questionSize = 56
const answerSize = 88

/** Opens one socket for as long as the process lives: nobody who takes all descriptors can make us blind later. */
export function openQuery(): AskSystem {
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
  // Without the module for this in the kernel nothing is found either; what found something once has it.
  const proven = new Set<number>()

  return (ends, from, to) => {
    sequence = (sequence + 1) % 2 ** 32
    const question = written(ends, from, to, sequence)
    const sent = Number(calls.send(fd, question, question.length, doNotWait))
    if (sent !== question.length) return undefined
    // Written before `send` returns; what is left of an earlier question is passed over.
    let size: number
    do {
      size = Number(calls.recv(fd, buffer, buffer.length, doNotWait))
      if (size < headerSize) return undefined
    } while (buffer.readUInt32LE(8) !== sequence)
    const family = ends.local.length
    const found = read(buffer.subarray(0, size), from, to)
    if (found === 'nothing') return proven.has(family) ? { kind: 'gone' } : undefined
    if (found) proven.add(family)
    return found
  }
}

/** nlmsghdr and inet_diag_req_v2: ports and addresses in network order, the rest as this processor writes numbers. */
function written({ local, remote }: Ends, from: number, to: number, sequence: number): Buffer {
  const bytes = Buffer.alloc(headerSize + questionSize)
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
  // INET_DIAG_NOCOOKIE: whichever has these ends.
  bytes.fill(0xff, 64)
  return bytes
}

/** inet_diag_msg, or an error. 'nothing': there is no such socket, or nobody who would know. */
function read(answer: Buffer, from: number, to: number): Found | 'nothing' | undefined {
  const type = answer.readUInt16LE(4)
  if (type === message.error) {
    return answer.readInt32LE(headerSize) === message.noSuchThing ? 'nothing' : undefined
  }
  if (type !== message.query || answer.length < answerSize) return undefined
  // Where no connection has these ends, whoever listens on the port is named instead.
  const isAsked = answer.readUInt16BE(20) === from && answer.readUInt16BE(22) === to
  if (!isAsked || answer.readUInt8(17) === listening) return 'nothing'
  const inode = answer.readUInt32LE(84)
  return inode === 0 ? { kind: 'gone' } : { kind: 'held', user: String(answer.readUInt32LE(80)) }
}
