/** Finds the program that listens on a port, as far as this user may see it. */
import { readdir, readFile, readlink } from 'node:fs/promises'

export interface PortOwner {
  /** As the system names users. */
  readonly user: string
  /** Only for processes that this user may inspect. */
  readonly program?: { readonly name: string; readonly pid: number }
  /** The loopback address on which it listens, when no program listens on the other one. */
  readonly address?: string
}

/** The programs that listen on a port of each loopback address; none where the system does not say. */
export interface PortOwners {
  readonly '127.0.0.1'?: PortOwner
  readonly '::1'?: PortOwner
}

/** The program that has the port of 127.0.0.1, or else that of ::1. */
export async function findPortOwner(port: number): Promise<PortOwner | undefined> {
  const { '127.0.0.1': four, '::1': six } = await findPortOwners(port)
  if (four && six) return four
  if (four) return { ...four, address: '127.0.0.1' }
  return six && { ...six, address: '::1' }
}

/** Reads /proc/net/tcp and tcp6, then the open files of processes (proc(5)). */
export async function findPortOwners(port: number): Promise<PortOwners> {
  const [four, six] = await Promise.all([
    findInTable('/proc/net/tcp', port),
    findInTable('/proc/net/tcp6', port),
  ])
  return { ...(four && { '127.0.0.1': four }), ...(six && { '::1': six }) }
}

async function findInTable(path: string, port: number): Promise<PortOwner | undefined> {
  const socket = findListener(await readFile(path, 'utf8').catch(() => ''), port)
  if (!socket) return undefined
  const program = await findProgram(`socket:[${socket.inode}]`)
  return { user: socket.user, ...(program && { program }) }
}

/** The state that a listening socket has there. */
const listening = '0A'

export function findListener(
  table: string,
  port: number,
): { readonly user: string; readonly inode: string } | undefined {
  const wanted = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  for (const line of table.split('\n')) {
    const [, local = '', , state, , , , user = '', , inode = ''] = line.trim().split(/\s+/)
    if (state === listening && local.endsWith(wanted)) return { user, inode }
  }
  return undefined
}

async function findProgram(file: string): Promise<PortOwner['program']> {
  const processes = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  for (const pid of processes) {
    const files = await readdir(`/proc/${pid}/fd`).catch(() => [])
    for (const each of files) {
      const target = await readlink(`/proc/${pid}/fd/${each}`).catch(() => undefined)
      if (target !== file) continue
      const name = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => 'unknown')
      return { name: name.trim(), pid: Number(pid) }
    }
  }
  return undefined
}
