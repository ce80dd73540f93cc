/** The ports that the demonstration wants, and who has them when it cannot. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { basename } from 'node:path'
import { StartError, say } from './place.ts'
import { type Settings, usualRegistryPort } from './settings.ts'

/** Throws a StartError that names the port, who has it, and the setting. */
export async function checkPorts({ mustBeFree, registryPort }: Settings): Promise<void> {
  for (const { port, host, setting } of mustBeFree) {
    if (port === 0 || !(await isTaken(port, host))) continue
    throw new StartError(
      `Cannot start: port ${port} is taken by ${holderOf(port)}; end that, or set ${setting} to another port`,
    )
  }
  if (registryPort !== usualRegistryPort && mustBeFree.every(({ port }) => port !== registryPort)) {
    say(
      `Port ${usualRegistryPort} is taken by ${holderOf(usualRegistryPort)}: the registry is on ${registryPort} (CARDWIRE_REGISTRY_PORT)`,
    )
  }
}

/** Any other reason why it cannot be had is told by whoever needs it. */
async function isTaken(port: number, host: string): Promise<boolean> {
  const server = createServer()
  const code = await new Promise<string | undefined>((resolve) => {
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code))
    server.listen(port, host, () => server.close(() => resolve(undefined)))
  })
  return code === 'EADDRINUSE'
}

/** As far as Linux tells this person: ss(8). */
function holderOf(port: number): string {
  const { stdout } = spawnSync('/usr/bin/ss', ['-Hltnp', `sport = :${port}`], { encoding: 'utf8' })
  const [, name, pid] = /"(.+?)",pid=(\d+)/.exec(stdout ?? '') ?? []
  return pid === undefined ? 'another program' : `${programOf(pid) ?? name} (process ${pid})`
}

/** Programs of Node call themselves "MainThread": what they were started as says more. */
function programOf(pid: string): string | undefined {
  try {
    return basename(readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')[0] ?? '') || undefined
  } catch {
    return undefined
  }
}
