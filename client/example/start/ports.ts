/** The ports of the demonstration: each is chosen when its program starts. */
import { spawnSync } from 'node:child_process'
import { readFileSync, readlinkSync } from 'node:fs'
import { createServer } from 'node:net'
import { basename, resolve } from 'node:path'
import { root } from './paths.ts'
import { printLine, StartError } from './terminal.ts'

export interface PortSetting {
  /** The environment variable. */
  readonly setting: string
  /** The port that it names, 0: any free port; undefined: the usual one, or the next free one. */
  readonly given: number | undefined
  readonly usual: number
  readonly host: string
}

/** How often a program is started again when another one has taken its port meanwhile. */
const maxAttempts = 5

/** Throws a StartError when a port that a setting names is taken: it names the port, the program that has it, and the setting. */
export async function checkPorts(ports: readonly PortSetting[]): Promise<void> {
  for (const { given: port, host, setting } of ports) {
    if (!port || !(await isTaken(port, host))) continue
    throw new StartError(
      `Cannot start: port ${port} is taken by ${findPortOwner(port)}; end that, or set ${setting} to another port`,
    )
  }
}

/** Starts a program on the port of the setting, or on another one where none is named and the port was taken meanwhile. */
export async function startOnPort<T>(
  { setting, given, usual, host }: PortSetting,
  start: (port: number) => Promise<T>,
): Promise<T> {
  let wanted = given ?? usual
  for (let attempt = 1; ; attempt += 1) {
    const port = given || (await findFreePort(wanted, host))
    try {
      const started = await start(port)
      if (given === undefined && port !== usual) {
        printLine(
          `Port ${usual} is taken by ${findPortOwner(usual)}, so this uses port ${port} (${setting})`,
        )
      }
      return started
    } catch (error) {
      if (given || attempt === maxAttempts || !(await isTaken(port, host))) throw error
      wanted = given === 0 ? 0 : port + 1
    }
  }
}

/** The port, or the next free one; 0: any free port. */
async function findFreePort(wanted: number, host: string): Promise<number> {
  for (let port = wanted; port <= 65_535; port += 1) {
    const { code, found } = await tryPort(port, host)
    // Other errors are reported by the program that listens there.
    if (code !== 'EADDRINUSE') return found ?? port
  }
  throw new StartError(`Cannot start: no port from ${wanted} to 65535 is free`)
}

const isTaken = async (port: number, host: string) =>
  (await tryPort(port, host)).code === 'EADDRINUSE'

async function tryPort(port: number, host: string) {
  const server = createServer()
  return new Promise<{ code?: string | undefined; found?: number | undefined }>((resolve) => {
    server.once('error', ({ code }: NodeJS.ErrnoException) => resolve({ code }))
    server.listen(port, host, () => {
      const address = server.address()
      const found = typeof address === 'object' ? address?.port : undefined
      server.close(() => resolve({ found }))
    })
  })
}

/** The process of the service of this repository that has the port; undefined: it has none, or the system does not tell. */
export function findServiceHere(port: number): string | undefined {
  const { pid } = askForOwner(port)
  if (pid === undefined) return undefined
  try {
    const isHere = resolve(readlinkSync(`/proc/${pid}/cwd`)) === resolve(root)
    return isHere && readCommand(pid).includes('ds/dist/node.js') ? pid : undefined
  } catch {
    return undefined
  }
}

function findPortOwner(port: number): string {
  const { name, pid } = askForOwner(port)
  return pid === undefined ? 'another program' : `${readProgramName(pid) ?? name} (process ${pid})`
}

/** By ss(8) on Linux, which names only programs of this account. */
function askForOwner(port: number) {
  const { stdout } = spawnSync('/usr/bin/ss', ['-Hltnp', `sport = :${port}`], { encoding: 'utf8' })
  const [, name, pid] = /"(.+?)",pid=(\d+)/.exec(stdout ?? '') ?? []
  return { name, pid }
}

/** The program in the command line: the process name of Node is "MainThread". */
function readProgramName(pid: string): string | undefined {
  try {
    return basename(readCommand(pid)[0] ?? '') || undefined
  } catch {
    return undefined
  }
}

const readCommand = (pid: string) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
