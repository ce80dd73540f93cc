/** Whose process is at the other end of a loopback connection, where the system says so. */
import { readFile } from 'node:fs/promises'
import type { Peer } from './server.ts'

export type Owner =
  | { readonly kind: 'user'; readonly uid: number }
  /** This system does not tell, or the connection is gone already. */
  | { readonly kind: 'unknown' }

export type OwnerOf = (peer: Peer, localPort: number) => Promise<Owner>

/** Looks the peer up in /proc/net/tcp and tcp6 (proc_pid_net(5)): the socket from its port to ours, and its user. */
export const linuxOwner: OwnerOf = async (peer, localPort) => {
  const [from, to] = [peer.port, localPort].map((port) =>
    port.toString(16).toUpperCase().padStart(4, '0'),
  )
  for (const table of ['/proc/net/tcp', '/proc/net/tcp6']) {
    const lines = (await readFile(table, 'utf8').catch(() => '')).split('\n')
    for (const line of lines) {
      const [, local = '', remote = '', , , , , uid = ''] = line.trim().split(/\s+/)
      if (local.endsWith(`:${from}`) && remote.endsWith(`:${to}`))
        return { kind: 'user', uid: Number(uid) }
    }
  }
  return { kind: 'unknown' }
}

/** How long an answer is kept, in milliseconds: a kept-alive connection asks often, and the tables take 5 ms to read. */
const rememberMs = 10_000
/** Connections that are remembered at once. */
const most = 1000

/** Remembers answers by connection for a while. */
export function remembering(ownerOf: OwnerOf, clock: () => number): OwnerOf {
  const known = new Map<string, { readonly at: number; readonly owner: Promise<Owner> }>()
  return (peer, localPort) => {
    const key = `${peer.address} ${peer.port} ${localPort}`
    const found = known.get(key)
    if (found && clock() - found.at < rememberMs) return found.owner
    if (known.size >= most) known.clear()
    const owner = ownerOf(peer, localPort)
    known.set(key, { at: clock(), owner })
    return owner
  }
}
