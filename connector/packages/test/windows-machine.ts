/** A machine with Windows, as far as Wine is one: its installer, its service, its registry and the processes of the connector. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { closeSync, openSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { openWine, windowsPath } from '../../test/wine/wine.ts'
import { names } from '../windows/places.ts'

export interface WindowsMachine {
  /** The path of a file of drive C on this machine. */
  path(name: string): string
  /** Runs the installer without a window; resolves with the last byte of its exit status, and its log. */
  install(
    args: readonly string[],
    env?: Readonly<Record<string, string>>,
  ): Promise<{ readonly code: number | null; readonly log: string }>
  /** What a program of Windows prints. */
  output(program: string, ...args: readonly string[]): Promise<string>
  /** The numbers of the processes whose command line has this in it. */
  findProcesses(line: string): readonly number[]
  /** Whether the service of the registry is RUNNING, STOPPED, or whatever Windows calls it. */
  readServiceState(): Promise<string | undefined>
  /** SHA-256 of each file below a folder of drive C, by its path there. */
  hashFiles(folder: string): Readonly<Record<string, string>>
  stop(): Promise<void>
}

export async function openWindowsMachine(folder: string): Promise<WindowsMachine> {
  const prefix = join(folder, 'prefix')
  const wine = await openWine(prefix)
  const path = (name: string) => join(prefix, 'drive_c', name)
  const output: WindowsMachine['output'] = async (program, ...args) => {
    const { stdout } = wine.start(program, args)
    return stdout ? text(stdout) : ''
  }
  return {
    path,
    output,
    async install(args, env = {}) {
      const log = join(folder, `${crypto.randomUUID()}.log`)
      // What it starts would hold pipes open.
      const outputFile = openSync(join(folder, 'msiexec.txt'), 'a')
      const options = ['/qn', '/l*v', windowsPath(log)]
      const child = wine.start('msiexec', [...args, ...options], env, outputFile)
      await once(child, 'exit')
      closeSync(outputFile)
      return { code: child.exitCode, log: readFileSync(log, 'utf8') }
    },
    findProcesses: (line) =>
      readdirSync('/proc')
        .filter((name) => /^\d+$/.test(name) && isOf(prefix, name, line))
        .map(Number),
    async readServiceState() {
      return /STATE\s+: \d\s+(\w+)/.exec(await output('sc', 'query', names.service))?.[1]
    },
    hashFiles: (name) => hashFiles(path(name)),
    stop: wine.stop,
  }
}

/** Other machines of this kind may run. */
function isOf(prefix: string, pid: string, line: string): boolean {
  try {
    return (
      readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').includes(line) &&
      readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`WINEPREFIX=${prefix}\0`)
    )
  } catch {
    return false
  }
}

function hashFiles(folder: string): Readonly<Record<string, string>> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted()
  const files = names.filter((name) => statSync(join(folder, name)).isFile())
  return Object.fromEntries(
    files.map((name) => [
      name,
      createHash('sha256')
        .update(readFileSync(join(folder, name)))
        .digest('hex'),
    ]),
  )
}

/**
 * Windows tells a version that it removes for another one that this is an upgrade, and Wine does not: in this copy of the
 * package an environment variable says so in the place of that property.
 */
export function markUpgradesByEnvironment(msi: string, copy: string): string {
  execFileSync('cp', [msi, copy])
  const removal = 'REMOVE="ALL" AND NOT %UPGRADINGPRODUCTCODE'
  for (const action of ['Untrust', 'UntrustUsers', 'UnscheduleTrust', 'RemoveState'])
    execFileSync('msibuild', [
      copy,
      '-q',
      `UPDATE \`InstallExecuteSequence\` SET \`Condition\`='${removal}' WHERE \`Action\`='${action}'`,
    ])
  return copy
}

/** The environment of such an upgrade. */
export const upgrading = { UPGRADINGPRODUCTCODE: '{00000000-0000-0000-0000-000000000000}' }
