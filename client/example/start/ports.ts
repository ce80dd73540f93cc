/** Checks that the ports of the demonstration are free, and finds the program that has one. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { basename } from 'node:path'
import { defaultRegistryPort, type Settings } from './settings.ts'
import { printLine, StartError } from './terminal.ts'

/** Throws a StartError that names the port, the program that has it, and the setting. */
export async function checkPorts({ requiredPorts, registryPort }: Settings): Promise<void> {
  for (const { port, host, setting } of requiredPorts) {
    if (port === 0 || !(await isTaken(port, host))) continue
    throw new StartError(
      `Cannot start: port ${port} is taken by ${findPortOwner(port)}; end that, or set ${setting} to another port`,
    )
  }
  if (
    registryPort !== defaultRegistryPort &&
    requiredPorts.every(({ port }) => port !== registryPort)
  ) {
    printLine(
      `Port ${defaultRegistryPort} is taken by ${findPortOwner(defaultRegistryPort)}: the registry is on ${registryPort} (CARDWIRE_REGISTRY_PORT)`,
    )
  }
}

/** Other errors are reported by the program that listens there. */
async function isTaken(port: number, host: string): Promise<boolean> {
  const server = createServer()
  const code = await new Promise<string | undefined>((resolve) => {
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code))
    server.listen(port, host, () => server.close(() => resolve(undefined)))
  })
  return code === 'EADDRINUSE'
}

/** By ss(8) on Linux, which names only programs of this account. */
function findPortOwner(port: number): string {
  const { stdout } = spawnSync('/usr/bin/ss', ['-Hltnp', `sport = :${port}`], { encoding: 'utf8' })
  const [, name, pid] = /"(.+?)",pid=(\d+)/.exec(stdout ?? '') ?? []
  return pid === undefined ? 'another program' : `${readProgramName(pid) ?? name} (process ${pid})`
}

/** The program in the command line: the process name of Node is "MainThread". */
function readProgramName(pid: string): string | undefined {
  try {
    return basename(readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')[0] ?? '') || undefined
  } catch {
    return undefined
  }
}
