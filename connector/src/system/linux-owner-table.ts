/** The tables of /proc/net/tcp and tcp6: every socket with its user (proc_pid_net(5)). Milliseconds, whatever is in them. */
import { readFile } from 'node:fs/promises'
import type { Found } from './linux-owner-query.ts'
import type { Ends } from './owner-address.ts'

/** In the table of the family of the addresses. undefined: there is none for us. Throws when it cannot be read now, for want of descriptors say. */
export async function findInTable(
  ends: Ends,
  from: number,
  to: number,
): Promise<Found | undefined> {
  const table = ends.local.length === 4 ? '/proc/net/tcp' : '/proc/net/tcp6'
  const wanted = ` ${written(ends.local, from)} ${written(ends.remote, to)} `
  // Sockets that come and go while it is read hide others: whoever is not there twice is gone.
  for (let attempts = 2; attempts > 0; attempts -= 1) {
    const text = await contentOf(table)
    if (text === undefined) return undefined
    const line = text.split('\n').find((each) => each.includes(wanted))
    const [, , , , , , , user, , inode] = line?.trim().split(/\s+/) ?? []
    // Without an inode no process has it any more, and the user is 0, whoever it was.
    if (user !== undefined) return inode === '0' ? { kind: 'gone' } : { kind: 'held', user }
  }
  return { kind: 'none' }
}

async function contentOf(table: string): Promise<string | undefined> {
  try {
    return await readFile(table, 'utf8')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'ENOENT' || code === 'EACCES' || code === 'EPERM') return undefined
    throw error
  }
}

/** Addresses stand there in words of four bytes, each as this processor (little endian) prints a number. */
const written = (address: Buffer, port: number): string =>
  `${Buffer.from(address).swap32().toString('hex')}:${port.toString(16).padStart(4, '0')}`.toUpperCase()
