/** Runs a command of the system to its end. */
import { spawn } from 'node:child_process'

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

/** Runs commands of this machine. `environment` replaces that of this process. */
export const createRunner =
  (environment: Readonly<Record<string, string | undefined>> = process.env): Run =>
  (program, args) =>
    new Promise((resolve) => {
      const child = spawn(program, args, {
        env: { ...environment },
        stdio: ['ignore', 'pipe', 'pipe'],
        windowsHide: true,
      })
      let output = ''
      const timer = setTimeout(() => child.kill('SIGKILL'), maxRunMs)
      const end = (status: number, text: string) => {
        clearTimeout(timer)
        resolve({ status, output: text })
      }
      const keep = (chunk: unknown) => {
        output = `${output}${chunk}`.slice(0, maxOutput)
        if (output.length === maxOutput) child.kill('SIGKILL')
      }
      child.stdout.on('data', keep)
      child.stderr.on('data', keep)
      child.on('error', (error) => end(-1, error.message))
      child.on('close', (status) => end(status ?? -1, output))
    })
