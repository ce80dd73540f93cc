/** Finds the account of a connection on Windows: the TCP tables name its process, the token of the process its account. */
import { isWine, type OwnerCalls, openOwnerCalls } from './native.ts'
import { type Endpoints, getEndpoints } from './peer-address.ts'
import type { FindPeerOwner, PeerOwner } from './peer-owner.ts'
import { getAccount, getOwnAccount } from './windows-account.ts'
import { getSession } from './windows-session.ts'
import { type Family, findProcess, getAddressFamily } from './windows-tcp-table.ts'

// Values of iprtrmib.h and winerror.h.
const connectionsWithProcess = 4
const insufficientBuffer = 122

export interface WindowsPeerOwnerOptions {
  /** The account that counts as ours, that of this process by default. */
  readonly sid?: string
  /**
   * Whether users are named by their sessions, for a service: Windows hides the accounts of most processes from it. A session
   * has one desktop and one clipboard.
   */
  readonly bySession?: boolean
}

export function createWindowsPeerOwner({
  sid,
  bySession = false,
}: WindowsPeerOwnerOptions = {}): FindPeerOwner {
  let opened:
    | { readonly calls: OwnerCalls; readonly ours: string; readonly knowsAllProcesses: boolean }
    | undefined
  const open = () => {
    const calls = openOwnerCalls()
    return { calls, ours: sid ?? getOwnAccount(calls), knowsAllProcesses: !isWine() }
  }
  return async (peer, port): Promise<PeerOwner> => {
    opened ??= open()
    const { calls, ours, knowsAllProcesses } = opened
    const { four, six } = getEndpoints(peer)
    if (!four && !six) return { kind: 'gone' }
    let isUnread = false
    const find = (family: Family, ends: Endpoints | undefined) => {
      if (!ends) return undefined
      const table = readTcpTable(calls, family)
      if (!table) isUnread = true
      return table && findProcess(table, family, ends, peer.port, port)
    }
    const pid = find('four', four) ?? find('six', six)
    if (pid === undefined) return { kind: isUnread || !knowsAllProcesses ? 'unknown' : 'gone' }
    if (bySession) return nameBySession(getSession(calls, pid))
    const user = getAccount(calls, pid)
    // Windows lets an account open its own processes; one that it hides is another account's, or has ended.
    if (user === undefined) return { kind: 'other' }
    return { kind: user === ours ? 'ours' : 'other', user }
  }
}

/** Session 0 is that of services, which are of several accounts: none of them is named. */
const nameBySession = (session: number | undefined): PeerOwner =>
  session ? { kind: 'other', user: `session ${session}` } : { kind: 'other' }

/** All connections of a family. Their number may grow between two calls. */
function readTcpTable(calls: OwnerCalls, family: Family): Buffer | undefined {
  const size = Buffer.alloc(4)
  size.writeUInt32LE(65_536)
  for (let attempts = 5; attempts > 0; attempts -= 1) {
    const table = Buffer.alloc(size.readUInt32LE(0))
    const code = calls.GetExtendedTcpTable(
      table,
      size,
      false,
      getAddressFamily(family),
      connectionsWithProcess,
      0,
    )
    if (code === 0) return table
    if (code !== insufficientBuffer) return undefined
  }
  return undefined
}
