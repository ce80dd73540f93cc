/** One sandbox process: its reports, the queries sent to it, and why it ended. */

import type { Clock } from '../../system/clock.ts'
import { readLines } from '../../system/ipc/read-lines.ts'
import {
  type FeatureReply,
  FromSandbox,
  type ReaderState,
  readLine,
  type ToSandbox,
  writeLine,
} from '../../system/ipc/sandbox-messages.ts'
import { type LivenessTimeouts, watchLiveness } from './liveness.ts'
import { createPendingQueries, type NoReply } from './pending-queries.ts'

/** Deadlines of a sandbox, in milliseconds. */
export interface Timeouts extends LivenessTimeouts {
  /** From a query to its reply. */
  readonly replyMs: number
}

export const defaultTimeouts: Timeouts = {
  firstReportMs: 10_000,
  heartbeatMs: 5000,
  pongMs: 2000,
  replyMs: 5000,
}

// Bun 1.4.5 collects garbage every second in each thread, whether there is any or not: 2 ms of work in idle seconds.
const gcTimerOff = { BUN_GC_TIMER_DISABLE: '1' }

/**
 * Why a sandbox ended: by itself (`ended`), no report or pong in time (`no-reply`), a call of the card service or a query
 * that did not return (`stuck`, `query-timeout`), output that is not ours (`invalid-message`), or `stop` (`stopped`).
 */
export type SandboxEnd =
  | 'ended'
  | 'no-reply'
  | 'stuck'
  | 'query-timeout'
  | 'invalid-message'
  | 'stopped'

export interface SandboxProcess {
  readonly pid: number
  /** The features of a reader. */
  queryFeatures(reader: string): Promise<FeatureReply | NoReply>
  /** Sends a ping when there was no message for a while, and ends the sandbox when no pong comes. */
  checkAlive(): void
  stop(): Promise<void>
}

export interface SandboxOptions {
  /** The program of the sandbox and its arguments. */
  readonly command: readonly string[]
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly clock: Clock
  readonly timeouts: Timeouts
  readonly onState: (state: ReaderState) => void
  /** Called once. */
  readonly onEnd: (end: SandboxEnd) => void
}

/** Starts a sandbox. Throws when it cannot be started. */
export function startSandbox(options: SandboxOptions): SandboxProcess {
  const { clock, timeouts } = options
  const sandbox = spawnSandbox(options)
  let end: SandboxEnd | undefined
  let lastId = 0

  const kill = (reason: SandboxEnd) => {
    end ??= reason
    // SIGKILL cannot be handled: the process hangs, or is not a sandbox.
    sandbox.kill('SIGKILL')
  }
  const liveness = watchLiveness(clock, timeouts, () => kill('no-reply'))
  const queries = createPendingQueries(clock, timeouts.replyMs, () => kill('query-timeout'))

  const onMessage = (message: FromSandbox) => {
    liveness.onMessage()
    if (message.type === 'state') options.onState(message.state)
    if (message.type === 'stuck') kill('stuck')
    if (message.type === 'reply') queries.settle(message.reply)
  }
  const listen = async () => {
    try {
      for await (const line of readLines(sandbox.stdout)) {
        const message = tryParseMessage(line)
        if (!message) kill('invalid-message')
        if (end || !message) break
        onMessage(message)
      }
    } catch {
      kill('invalid-message')
    }
    // A process that closed its output without ending is of no use either.
    sandbox.kill('SIGKILL')
    await sandbox.exited
    end ??= 'ended'
    liveness.end()
    queries.end()
    options.onEnd(end)
  }
  const listening = listen()

  return {
    pid: sandbox.pid,
    async queryFeatures(reader) {
      if (end) return 'not-sent'
      const id = ++lastId
      const reply = queries.wait(id)
      send(sandbox.stdin, { type: 'query', query: { id, reader } })
      return reply
    },
    checkAlive() {
      if (!end) liveness.check(() => send(sandbox.stdin, { type: 'ping', id: ++lastId }))
    },
    async stop() {
      kill('stopped')
      await listening
    },
  }
}

const spawnSandbox = ({ command, env = process.env }: SandboxOptions) =>
  Bun.spawn([...command], {
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'inherit',
    env: { ...env, ...gcTimerOff },
  })

function send(stdin: Bun.FileSink, message: ToSandbox): void {
  try {
    // A process that cannot be written to is about to end.
    void Promise.resolve(stdin.write(writeLine(message))).catch(ignore)
    void Promise.resolve(stdin.flush()).catch(ignore)
  } catch {
    // The same.
  }
}

const ignore = () => undefined

function tryParseMessage(line: string): FromSandbox | undefined {
  try {
    return readLine(FromSandbox, line)
  } catch {
    return undefined
  }
}
