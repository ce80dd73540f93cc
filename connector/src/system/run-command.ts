/** Runs a command of the system to its end. */
import { type ChildProcess, spawn } from 'node:child_process'

export interface CommandResult {
  /** Exit status; -1 when it could not be started, did not end in time, or printed too much. */
  readonly status: number
  /** Standard output and standard error together. */
  readonly output: string
}

/** Runs a program with arguments, no shell, nothing on standard input. Never throws. */
export type Run = (program: string, args: readonly string[]) => Promise<CommandResult>

/** How long a command may run, in milliseconds: updating the anchors takes seconds; one that asks a question never ends. */
const maxRunMs = 60_000

/** Characters of output that are kept; a command that prints more is killed. A keychain with all its certificates has less. */
const maxOutput = 4 * 1024 * 1024

/** Runs commands of this machine. `environment` replaces that of this process; `maxMs`: how long one may run. */
export const createRunner =
  (
    environment: Readonly<Record<string, string | undefined>> = process.env,
    maxMs = maxRunMs,
  ): Run =>
  (program, args) =>
    new Promise((resolve) => {
      const child = spawn(program, args, {
        env: { ...environment },
        stdio: ['ignore', 'pipe', 'pipe'],
        windowsHide: true,
        // A process group of its own, so that its children are ended with it: they hold its output. Windows would open a console.
        detached: process.platform !== 'win32',
      })
      let output = ''
      const stop = () => killGroup(child)
      const timer = setTimeout(stop, maxMs)
      const end = (status: number, text: string) => {
        clearTimeout(timer)
        resolve({ status, output: text })
      }
      const keep = (chunk: unknown) => {
        output = `${output}${chunk}`.slice(0, maxOutput)
        if (output.length === maxOutput) stop()
      }
      child.stdout.on('data', keep)
      child.stderr.on('data', keep)
      child.on('error', (error) => end(-1, error.message))
      child.on('close', (status) => end(status ?? -1, output))
    })

function killGroup(child: ChildProcess): void {
  try {
    if (process.platform === 'win32' || child.pid === undefined) child.kill('SIGKILL')
    else process.kill(-child.pid, 'SIGKILL')
  } catch {
    // The group has ended by itself.
  }
}
