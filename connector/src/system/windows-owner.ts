/** Whose a connection is on Windows: the TCP tables name its process, the token of the process its account. */
import { isWine, type OwnerCalls, openOwnerCalls } from './native.ts'
import type { Owner, OwnerOf } from './owner.ts'
import { type Ends, endsOf } from './owner-address.ts'
import { accountOf, ownAccount } from './windows-account.ts'
import { addressFamily, type Family, processIn } from './windows-tcp-table.ts'

// Values of iprtrmib.h and winerror.h.
const connectionsWithProcess = 4
const insufficientBuffer = 122

/** `sid` is who counts as ours: the account of this process. */
export function windowsOwner(sid?: string): OwnerOf {
  let opened:
    | { readonly calls: OwnerCalls; readonly ours: string; readonly tellsAll: boolean }
    | undefined
  const open = () => {
    const calls = openOwnerCalls()
    return { calls, ours: sid ?? ownAccount(calls), tellsAll: !isWine() }
  }
  return async (peer, port): Promise<Owner> => {
    opened ??= open()
    const { calls, ours, tellsAll } = opened
    const { four, six } = endsOf(peer)
    let isUnread = four === undefined && six === undefined
    const find = (family: Family, ends: Ends | undefined) => {
      if (!ends) return undefined
      const table = tableOf(calls, family)
      if (!table) isUnread = true
      return table && processIn(table, family, ends, peer.port, port)
    }
    const pid = find('four', four) ?? find('six', six)
    if (pid === undefined) return { kind: isUnread || !tellsAll ? 'unknown' : 'gone' }
    const user = accountOf(calls, pid)
    // Windows lets an account look at its own processes; one that it hides is another's, or gone with its connection.
    if (user === undefined) return { kind: 'other' }
    return { kind: user === ours ? 'ours' : 'other', user }
  }
}

/** All connections of a family. They may become more while we ask. */
function tableOf(calls: OwnerCalls, family: Family): Buffer | undefined {
  const size = Buffer.alloc(4)
  size.writeUInt32LE(65_536)
  for (let attempts = 5; attempts > 0; attempts -= 1) {
    const table = Buffer.alloc(size.readUInt32LE(0))
    const code = calls.GetExtendedTcpTable(
      table,
      size,
      false,
      addressFamily(family),
      connectionsWithProcess,
      0,
    )
    if (code === 0) return table
    if (code !== insufficientBuffer) return undefined
  }
  return undefined
}
