/** Programs beside this one: started, waited for, and ended by their own id. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

export interface Child {
  readonly pid: number
  /** Waits until what it printed matches, and answers with the first group. */
  said(pattern: RegExp): Promise<string>
  end(): void
}

/** How long a program may take to start or to end, in milliseconds. */
const patienceMs = 60_000

const children = new Set<ChildProcess>()

let started = 0

/** Starts a program; what it prints goes to a file in `folder`. */
export function start(
  folder: string,
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Child {
  started += 1
  const output = join(folder, `output-${started}`)
  const descriptor = openSync(output, 'a')
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
    async said(pattern) {
      for (const end = Date.now() + patienceMs; Date.now() < end; await sleep(20)) {
        const found = pattern.exec(readFileSync(output, 'utf8').slice(0, 10_000))
        if (found) return found[1] ?? ''
        if (child.exitCode !== null) break
      }
      throw new Error(`Cannot use "${command} ${args.join(' ')}": it printed to ${output}`)
    },
  }
}

/** Runs a program to its end and answers with what it printed. */
export async function output(command: string, args: readonly string[]): Promise<string> {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'], timeout: patienceMs })
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
export const program = (url: string, ...args: readonly string[]) =>
  output(process.execPath, [fileURLToPath(url), ...args])

/** Ends every program that still runs. */
export async function stopAll(): Promise<void> {
  await Promise.all(
    [...children].map(async (child) => {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      const killer = setTimeout(() => child.kill('SIGKILL'), patienceMs)
      await ended
      clearTimeout(killer)
    }),
  )
}

/** For an end without ceremony: nothing stays behind. */
export function killAll(): void {
  for (const child of children) child.kill('SIGKILL')
}
