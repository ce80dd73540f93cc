/** Whose a connection is on Linux: /proc/net/tcp and tcp6 name the user of every socket (proc_pid_net(5)). */
import { readFile } from 'node:fs/promises'
import type { OwnerOf } from './owner.ts'
import { type Ends, endsOf } from './owner-address.ts'

/** `uid` is who counts as ours: the account of this process. */
export function linuxOwner(uid = process.getuid?.()): OwnerOf {
  return async (peer, port) => {
    const { four, six } = endsOf(peer)
    const found =
      (four && (await find('/proc/net/tcp', four, peer.port, port))) ??
      (six && (await find('/proc/net/tcp6', six, peer.port, port)))
    if (found === undefined) return { kind: 'unknown' }
    return { kind: found === String(uid) ? 'ours' : 'other', user: found }
  }
}

/** The user of the socket from one end to the other; undefined when there is none. */
async function find(
  table: string,
  ends: Ends,
  from: number,
  to: number,
): Promise<string | undefined> {
  const wanted = ` ${written(ends.local, from)} ${written(ends.remote, to)} `
  const text = await readFile(table, 'utf8').catch(() => '')
  const line = text.split('\n').find((each) => each.includes(wanted))
  return line?.trim().split(/\s+/)[7]
}

/** Addresses stand there in words of four bytes, each as this processor (little endian) prints a number. */
const written = (address: Buffer, port: number): string =>
  `${Buffer.from(address).swap32().toString('hex')}:${port.toString(16).padStart(4, '0')}`.toUpperCase()
