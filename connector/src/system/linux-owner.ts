/** Whose a connection is on Linux: the system is asked for its socket, and where it does not answer, its tables are read. */
import { type AskSystem, openQuery } from './linux-owner-query.ts'
import { findInTable } from './linux-owner-table.ts'
import type { OwnerOf } from './owner.ts'
import { endsOf } from './owner-address.ts'

/** `uid` is who counts as ours: the account of this process. */
export function linuxOwner(uid = process.getuid?.(), ask: AskSystem = openQuery()): OwnerOf {
  return async (peer, port) => {
    const { four, six } = endsOf(peer)
    const ends = four ?? six
    if (!ends) return { kind: 'unknown' }
    // Asked by addresses of IPv4, it finds sockets of either family, which the tables keep apart.
    let found = ask(ends, peer.port, port) ?? (await findInTable(ends, peer.port, port))
    if (found?.kind === 'none' && four && six) {
      found = (await findInTable(six, peer.port, port)) ?? found
    }
    if (found === undefined) return { kind: 'unknown' }
    if (found.kind !== 'held') return { kind: 'gone' }
    return { kind: found.user === String(uid) ? 'ours' : 'other', user: found.user }
  }
}
