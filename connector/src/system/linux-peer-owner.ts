/** Finds the account of a connection on Linux: by a socket query, or in the tables of /proc where that is not answered. */
import { openSocketQuery, type QuerySocket } from './linux-socket-query.ts'
import { findInSocketTable } from './linux-socket-table.ts'
import { getEndpoints } from './peer-address.ts'
import type { FindPeerOwner } from './peer-owner.ts'

/** `uid`: the account that counts as ours. */
export function createLinuxPeerOwner(
  uid = process.getuid?.(),
  ask: QuerySocket = openSocketQuery(),
): FindPeerOwner {
  return async (peer, port) => {
    const { four, six } = getEndpoints(peer)
    const ends = four ?? six
    if (!ends) return { kind: 'gone' }
    // A query by IPv4 addresses finds sockets of either family; the tables keep them apart.
    let found = ask(ends, peer.port, port) ?? (await findInSocketTable(ends, peer.port, port))
    if (found?.kind === 'none' && four && six) {
      found = (await findInSocketTable(six, peer.port, port)) ?? found
    }
    if (found === undefined) return { kind: 'unknown' }
    if (found.kind !== 'held') return { kind: 'gone' }
    return { kind: found.user === String(uid) ? 'ours' : 'other', user: found.user }
  }
}
