/** Programs that a test starts, as itself or as another account, and ends. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of the repository. */
export const root = fileURLToPath(new URL('../../..', import.meta.url))
export const connectorProgram = join(root, 'connector/dist/cardwire')
export const serviceProgram = join(root, 'ds/dist/node.js')
export const tool = (name: string): string => join(root, 'node_modules/.bin', name)

export type Settings = Readonly<Record<string, string>>

export interface Program {
  readonly child: ChildProcess
  /** What it has written so far. */
  output(): string
  /** Ends it, and what it started. */
  stop(signal?: NodeJS.Signals): Promise<void>
}

export interface Start {
  readonly settings?: Settings | undefined
  readonly account?: { readonly uid: number; readonly gid: number } | undefined
  readonly home?: string | undefined
  readonly cwd?: string | undefined
}

/** Starts it and waits until it says `ready`. Rejects with its words when it ends before. */
export async function start(
  command: readonly string[],
  ready: RegExp,
  { settings, account, home, cwd = '/' }: Start,
): Promise<Program> {
  // setpriv(1) has it end with this process, however that ends.
  const child = spawn('setpriv', ['--pdeathsig', 'TERM', ...command], {
    env: { ...environmentOf(home), ...settings },
    cwd,
    ...(account && { uid: account.uid, gid: account.gid }),
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own: what it starts ends with it.
    detached: true,
  })
  let output = ''
  await new Promise<void>((resolve, reject) => {
    const read = (part: Buffer) => {
      output += part.toString()
      if (ready.test(output)) resolve()
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    child.once('error', reject)
    child.once('exit', (code) => {
      reject(new Error(`${command[0]} ended with ${code} before it was ready:\n${output}`))
    })
  })
  return {
    child,
    output: () => output,
    async stop(signal = 'SIGTERM') {
      if (child.exitCode !== null || child.signalCode !== null || !child.pid) return
      const ended = once(child, 'exit')
      process.kill(-child.pid, signal)
      await ended
    },
  }
}

/** Of a person who has just logged in: nothing of whoever runs the tests. */
export const environmentOf = (home = '/nonexistent'): Settings => ({
  PATH: process.env['PATH'] ?? '/usr/bin:/bin',
  HOME: home,
  LANG: 'C.UTF-8',
  // No desktop session, and none is looked for.
  DBUS_SESSION_BUS_ADDRESS: 'disabled:',
})
