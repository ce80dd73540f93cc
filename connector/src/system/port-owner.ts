/** Finds the program that listens on a port, as far as this user may see it. */
import { readdir, readFile, readlink } from 'node:fs/promises'

export interface PortOwner {
  /** As the system names users. */
  readonly user: string
  /** Only for processes that this user may inspect. */
  readonly program?: { readonly name: string; readonly pid: number }
}

/** Reads /proc/net/tcp and tcp6, then the open files of processes (proc(5)); undefined on other systems. */
export async function findPortOwner(port: number): Promise<PortOwner | undefined> {
  for (const table of ['/proc/net/tcp', '/proc/net/tcp6']) {
    const socket = findListener(await readFile(table, 'utf8').catch(() => ''), port)
    if (socket) {
      const program = await findProgram(`socket:[${socket.inode}]`)
      return { user: socket.user, ...(program && { program }) }
    }
  }
  return undefined
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
