/** The tables /proc/net/tcp and tcp6: every socket with its user (proc_pid_net(5)). Reading one takes milliseconds. */
import { readFile } from 'node:fs/promises'
import type { SocketLookup } from './linux-socket-query.ts'
import type { Endpoints } from './peer-address.ts'

/** Searches the table of the family of the addresses. Undefined: it is missing or forbidden. Throws for other errors, such as too few descriptors. */
export async function findInSocketTable(
  ends: Endpoints,
  from: number,
  to: number,
): Promise<SocketLookup | undefined> {
  const table = ends.local.length === 4 ? '/proc/net/tcp' : '/proc/net/tcp6'
  const wanted = ` ${formatEndpoint(ends.local, from)} ${formatEndpoint(ends.remote, to)} `
  // Sockets that come and go during a read can hide others: one that is missing twice does not exist.
  for (let attempts = 2; attempts > 0; attempts -= 1) {
    const text = await readTable(table)
    if (text === undefined) return undefined
    const line = text.split('\n').find((each) => each.includes(wanted))
    const [, , , , , , , user, , inode] = line?.trim().split(/\s+/) ?? []
    // Without an inode no process has it any more, and the user is always 0.
    if (user !== undefined) return inode === '0' ? { kind: 'gone' } : { kind: 'held', user }
  }
  return { kind: 'none' }
}

async function readTable(table: string): Promise<string | undefined> {
  try {
    return await readFile(table, 'utf8')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'ENOENT' || code === 'EACCES' || code === 'EPERM') return undefined
    throw error
  }
}

/** Addresses are written in groups of four bytes, each as this processor (little endian) prints a number. */
const formatEndpoint = (address: Buffer, port: number): string =>
  `${Buffer.from(address).swap32().toString('hex')}:${port.toString(16).padStart(4, '0')}`.toUpperCase()
