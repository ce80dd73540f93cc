/** Programs that a test starts, as itself or as another account, and ends. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'

export type Settings = Readonly<Record<string, string>>

/** How a program is started. */
export interface StartOptions {
  readonly env?: NodeJS.ProcessEnv | undefined
  readonly cwd?: string | undefined
  readonly account?: { readonly uid: number; readonly gid: number } | undefined
  /** What it reads. */
  readonly input?: string | Uint8Array | undefined
}

export interface Program {
  readonly child: ChildProcess
  readonly pid: number
  /** What it has written so far. */
  output(): string
  /** Resolves as soon as its output matches. Rejects with its output when it ends before. */
  waitForOutput(pattern: RegExp): Promise<RegExpExecArray>
  /** Signals it alone, and waits for its end; its exit status. */
  stop(signal?: NodeJS.Signals): Promise<number | null>
  /** Signals it together with what it started, and waits for its end. */
  stopGroup(signal?: NodeJS.Signals): Promise<number | null>
  isRunning(): boolean
}

/** Milliseconds after which a group that does not end on a signal is killed. */
const killAfterMs = 8000

/** The environment of a user who has just logged in: nothing of the account that runs the tests. */
export const createEnvironment = (home = '/nonexistent', settings: Settings = {}): Settings => ({
  PATH: process.env['PATH'] ?? '/usr/bin:/bin',
  HOME: home,
  LANG: 'C.UTF-8',
  // No desktop session, and none is looked for.
  DBUS_SESSION_BUS_ADDRESS: 'disabled:',
  ...settings,
})

export function startProgram(command: readonly string[], options: StartOptions = {}): Program {
  const { env = createEnvironment(), cwd = '/', account, input = '' } = options
  // setpriv(1) has it end with this process, however that ends.
  const child = spawn('setpriv', ['--pdeathsig', 'TERM', ...command], {
    env,
    cwd,
    ...(account && { uid: account.uid, gid: account.gid }),
    // A group of its own: what it starts can be ended with it.
    detached: true,
  })
  // A program that reads nothing may have ended before.
  child.stdin.on('error', () => undefined).end(input)
  let output = ''
  const waiting = new Set<() => void>()
  const check = () => {
    for (const act of [...waiting]) act()
  }
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (part: string) => {
      output += part
      check()
    })
  }
  const isRunning = () => child.exitCode === null && child.signalCode === null
  child.once('close', check)
  const end = async (signal: () => void) => {
    if (!isRunning()) return
    const ended = once(child, 'exit')
    signal()
    await ended
  }
  return {
    child,
    pid: child.pid ?? 0,
    output: () => output,
    waitForOutput: (pattern) =>
      new Promise((resolve, reject) => {
        const act = () => {
          const found = pattern.exec(output)
          if (!found && isRunning()) return
          waiting.delete(act)
          if (found) resolve(found)
          else reject(new Error(`It ended with ${child.exitCode} before it was ready:\n${output}`))
        }
        waiting.add(act)
        child.once('error', reject)
        act()
      }),
    async stop(signal = 'SIGTERM') {
      await end(() => child.kill(signal))
      return child.exitCode
    },
    async stopGroup(signal = 'SIGTERM') {
      const signalGroup = (name: NodeJS.Signals) => child.pid && process.kill(-child.pid, name)
      const late = setTimeout(() => isRunning() && signalGroup('SIGKILL'), killAfterMs)
      await end(() => signalGroup(signal))
      clearTimeout(late)
      return child.exitCode
    },
    isRunning,
  }
}

/** Runs a program to its end. */
export async function runProgram(
  command: readonly string[],
  { input = '', env, cwd, account }: StartOptions = {},
): Promise<{ readonly status: number | null; readonly out: string; readonly err: string }> {
  const [program = '', ...args] = command
  const child = spawn(program, args, {
    ...(env && { env }),
    ...(cwd !== undefined && { cwd }),
    ...(account && { uid: account.uid, gid: account.gid }),
  })
  const ended = once(child, 'exit')
  // A program that reads nothing may have ended before.
  child.stdin.on('error', () => undefined).end(input)
  const [out, err, [status]] = await Promise.all([text(child.stdout), text(child.stderr), ended])
  return { status, out, err }
}
