/** Whose process is at the other end of a loopback connection, where the system says so. */
import type { Peer } from './server.ts'

/** Seen from the account of this process. */
export type Owner =
  | {
      readonly kind: 'ours' | 'other'
      /** What the system calls the account, a number on Linux, a SID on Windows; absent where it hides that. */
      readonly user?: string
    }
  /** This system does not tell, or the connection is gone already. */
  | { readonly kind: 'unknown' }

/** Whose the process is that connected from `peer` to `port` of 127.0.0.1 or ::1. */
export type OwnerOf = (peer: Peer, port: number) => Promise<Owner>

/** How long an answer is kept, in milliseconds: a kept-alive connection asks often, and the tables take 5 ms to read. */
const rememberMs = 10_000
/** Connections that are remembered at once. */
const most = 1000

/** Remembers answers by connection for a while. */
export function remembering(ownerOf: OwnerOf, clock: () => number): OwnerOf {
  const known = new Map<string, { readonly at: number; readonly owner: Promise<Owner> }>()
  return (peer, port) => {
    const key = `${peer.address} ${peer.port} ${port}`
    const found = known.get(key)
    if (found && clock() - found.at < rememberMs) return found.owner
    if (known.size >= most) known.clear()
    const owner = ownerOf(peer, port)
    known.set(key, { at: clock(), owner })
    return owner
  }
}
