/** Finds and runs programs of the desktop, with a deadline and a limit of output. */
import { spawn } from 'node:child_process'
import { delimiter, isAbsolute } from 'node:path'
import { joinBytes } from './join-bytes.ts'

export type Outcome =
  | {
      readonly kind: 'ended'
      /** -1 when a signal ended it. */
      readonly status: number
      readonly output: Buffer
      /** The beginning of standard error: to be compared, never to be shown. */
      readonly errors: string
    }
  /** Ended by us: at the signal, or because of more output than allowed, which is discarded. */
  | { readonly kind: 'late' }
  | { readonly kind: 'too-long' }
  | { readonly kind: 'not-started' }

export interface RunOptions {
  readonly signal: AbortSignal
  /** Bytes of output that are kept; none by default. */
  readonly maxBytes?: number
  /** What it reads on standard input, where no other account can read it, unlike arguments; nothing by default. */
  readonly input?: string | Uint8Array | undefined
  /** Variables on top of the user's. */
  readonly variables?: Readonly<Record<string, string>>
}

export interface Programs {
  /** The path of a program, by the PATH of the user. */
  find(name: string): string | undefined
  /** Runs a program with arguments, without a shell. Never throws. */
  run(program: string, args: readonly string[], order: RunOptions): Promise<Outcome>
  /** Starts a program that may outlive this process; false when it fails before the signal. */
  launch(program: string, args: readonly string[], signal: AbortSignal): Promise<boolean>
}

/** Bytes of standard error that are kept. */
const maxErrorBytes = 4096

/** Runs programs of this machine in the environment of the user. */
export function createPrograms(
  environment: Readonly<Record<string, string | undefined>>,
): Programs {
  const env = scrubEnvironment(environment)
  return {
    // The user's own PATH: a program that can write to it or into its folders acts as the user anyway. Relative folders
    // are left out: they depend on the current folder.
    find: (name) =>
      Bun.which(name, {
        PATH: (env['PATH'] ?? '').split(delimiter).filter(isAbsolute).join(delimiter),
      }) ?? undefined,

    run: (program, args, order) => run({ program, args, env }, order),
    launch: (program, args, signal) => launch({ program, args, env }, signal),
  }
}

interface Invocation {
  readonly program: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
}

function run(
  { program, args, env }: Invocation,
  { signal, maxBytes, input, variables }: RunOptions,
): Promise<Outcome> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve({ kind: 'late' })
    const child = spawn(program, args, {
      env: { ...env, ...variables },
      stdio: [
        input === undefined ? 'ignore' : 'pipe',
        maxBytes === undefined ? 'ignore' : 'pipe',
        'pipe',
      ],
      // A process group of its own, so that its children are ended with it: wl-paste starts a cat(1) that waits.
      detached: true,
    })
    let output = Buffer.alloc(0)
    let errors = ''
    let isStopped = false
    const end = (outcome: Outcome) => {
      signal.removeEventListener('abort', late)
      resolve(outcome)
    }
    const stop = (kind: 'late' | 'too-long') => {
      isStopped = true
      killGroup(child.pid)
      // It may be a secret, as may be what comes after.
      output.fill(0)
      end({ kind })
    }
    const late = () => stop('late')
    signal.addEventListener('abort', late)
    // A program that reads nothing may have ended before.
    child.stdin?.on('error', () => undefined).end(input)
    child.stdout?.on('data', (chunk: Buffer) => {
      if (isStopped) return void chunk.fill(0)
      const longer = Buffer.from(joinBytes([output, chunk]).buffer)
      // It may be a secret: nothing of it stays but what the caller gets.
      for (const part of [output, chunk]) part.fill(0)
      output = longer
      if (maxBytes !== undefined && output.length > maxBytes) stop('too-long')
    })
    child.stderr?.on('data', (chunk: Buffer) => {
      errors = (errors + chunk).slice(0, maxErrorBytes)
    })
    child.once('error', () => end({ kind: 'not-started' }))
    child.once('close', (status) => end({ kind: 'ended', status: status ?? -1, output, errors }))
  })
}

function launch({ program, args, env }: Invocation, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
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
  })
}

function killGroup(leader: number | undefined): void {
  try {
    if (leader !== undefined) process.kill(-leader, 'SIGKILL')
  } catch {
    // The group has ended by itself.
  }
}

/** Removes our settings, as an installation key may be among them. */
export const scrubEnvironment = (environment: Readonly<Record<string, string | undefined>>) =>
  Object.fromEntries(
    Object.entries(environment).filter(([name]) => !name.toUpperCase().startsWith('CARDWIRE_')),
  )
