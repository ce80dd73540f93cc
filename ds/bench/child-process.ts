/** Starts child processes, waits for their output, and ends them. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

export interface ChildProgram {
  readonly pid: number
  /** Waits until its output matches; resolves with the first group. */
  waitForOutput(pattern: RegExp): Promise<string>
  end(): void
}

/** How long a program may take to start or to end, in milliseconds. */
const timeoutMs = 60_000

const children = new Set<ChildProcess>()

let started = 0

/** Starts a program; what it prints goes to a file in `folder`. */
export function start(
  folder: string,
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): ChildProgram {
  started += 1
  const readOutput = join(folder, `output-${started}`)
  const descriptor = openSync(readOutput, 'a')
  const child = spawn(command, args, {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ['ignore', descriptor, descriptor],
  })
  children.add(child)
  child.once('error', () => children.delete(child))
  child.once('exit', () => children.delete(child))
  if (child.pid === undefined) throw new Error(`Cannot start "${command}"`)
  return {
    pid: child.pid,
    end: () => child.kill('SIGTERM'),
    async waitForOutput(pattern) {
      for (const end = Date.now() + timeoutMs; Date.now() < end; await sleep(20)) {
        const found = pattern.exec(readFileSync(readOutput, 'utf8').slice(0, 10_000))
        if (found) return found[1] ?? ''
        if (child.exitCode !== null) break
      }
      throw new Error(`Cannot use "${command} ${args.join(' ')}": it printed to ${readOutput}`)
    },
  }
}

/** Runs a program to its end; resolves with its output. */
export async function output(command: string, args: readonly string[]): Promise<string> {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'], timeout: timeoutMs })
  children.add(child)
  child.once('close', () => children.delete(child))
  let text = ''
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    text += part
  })
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`Cannot run "${command}": it ended with ${code}`)
  return text
}

/** Runs a program for Node, given by its URL, to its end. */
export const runNodeProgram = (url: string, ...args: readonly string[]) =>
  output(process.execPath, [fileURLToPath(url), ...args])

/** Ends every program that still runs. */
export async function stopAll(): Promise<void> {
  await Promise.all(
    [...children].map(async (child) => {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      const killer = setTimeout(() => child.kill('SIGKILL'), timeoutMs)
      await ended
      clearTimeout(killer)
    }),
  )
}

/** Kills every program that still runs, at once. */
export function killAll(): void {
  for (const child of children) child.kill('SIGKILL')
}
