/** Programs of the person's desktop: found, run with a deadline, and not trusted to be quick or brief. */
import { spawn } from 'node:child_process'
import { delimiter, isAbsolute } from 'node:path'

export type Outcome =
  | {
      readonly kind: 'ended'
      /** -1 when a signal ended it. */
      readonly status: number
      readonly output: Buffer
      /** The beginning of standard error: to be compared, never to be shown. */
      readonly said: string
    }
  /** Ended by us: at the signal, or because its output was longer than allowed, which is not kept. */
  | { readonly kind: 'late' }
  | { readonly kind: 'too-long' }
  | { readonly kind: 'not-started' }

export interface Order {
  readonly signal: AbortSignal
  /** Bytes of output that are kept; none when it is left out. */
  readonly longest?: number
  /** Variables on top of the person's. */
  readonly variables?: Readonly<Record<string, string>>
}

export interface Programs {
  /** Where a program lies, by the person's PATH. */
  find(name: string): string | undefined
  /** Runs a program with arguments: no shell, nothing on standard input. Never throws. */
  run(program: string, args: readonly string[], order: Order): Promise<Outcome>
  /** Starts a program that may outlive us; false when it fails before the signal. */
  launch(program: string, args: readonly string[], signal: AbortSignal): Promise<boolean>
}

/** Bytes of standard error that are kept. */
const longestSaid = 4096

/** Runs programs of this machine in the environment of the person. */
export function programsOf(environment: Readonly<Record<string, string | undefined>>): Programs {
  const env = withoutOurs(environment)
  return {
    // The person's own PATH: whoever can write to it or into its folders acts as the person anyway. Relative folders
    // are left out: what they lead to depends on where we were started.
    find: (name) =>
      Bun.which(name, {
        PATH: (env['PATH'] ?? '').split(delimiter).filter(isAbsolute).join(delimiter),
      }) ?? undefined,

    run: (program, args, { signal, longest, variables }) =>
      new Promise((resolve) => {
        if (signal.aborted) return resolve({ kind: 'late' })
        const child = spawn(program, args, {
          env: { ...env, ...variables },
          stdio: ['ignore', longest === undefined ? 'ignore' : 'pipe', 'pipe'],
          // A group of its own, so that what it starts is ended with it: wl-paste has a cat(1) that waits.
          detached: true,
        })
        let output = Buffer.alloc(0)
        let said = ''
        const end = (outcome: Outcome) => {
          signal.removeEventListener('abort', late)
          resolve(outcome)
        }
        const stop = (kind: 'late' | 'too-long') => {
          killGroup(child.pid)
          end({ kind })
        }
        const late = () => stop('late')
        signal.addEventListener('abort', late)
        child.stdout?.on('data', (chunk: Buffer) => {
          output = Buffer.concat([output, chunk])
          if (longest !== undefined && output.length > longest) stop('too-long')
        })
        child.stderr?.on('data', (chunk: Buffer) => {
          said = (said + chunk).slice(0, longestSaid)
        })
        child.once('error', () => end({ kind: 'not-started' }))
        child.once('close', (status) => end({ kind: 'ended', status: status ?? -1, output, said }))
      }),

    launch: (program, args, signal) =>
      new Promise((resolve) => {
        const child = spawn(program, args, { env, stdio: 'ignore', detached: true })
        const end = (taken: boolean) => {
          signal.removeEventListener('abort', running)
          child.unref()
          resolve(taken)
        }
        const running = () => end(true)
        child.once('error', () => end(false))
        child.once('exit', (status) => end(status === 0))
        signal.addEventListener('abort', running)
        if (signal.aborted) running()
      }),
  }
}

function killGroup(leader: number | undefined): void {
  try {
    if (leader !== undefined) process.kill(-leader, 'SIGKILL')
  } catch {
    // It has ended by itself.
  }
}

/** Our settings are nobody else's: among them is an installation key. */
export const withoutOurs = (environment: Readonly<Record<string, string | undefined>>) =>
  Object.fromEntries(
    Object.entries(environment).filter(([name]) => !name.toUpperCase().startsWith('CARDWIRE_')),
  )
