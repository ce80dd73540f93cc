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

/** Deadlines of a sandbox, in milliseconds. */
export interface Timeouts {
  /** From its start to its first report. */
  readonly firstReportMs: number
  /** From its last message until `checkAlive` sends a ping. */
  readonly heartbeatMs: number
  /** From a ping to its pong. */
  readonly pongMs: number
  /** From a query to its reply. */
  readonly replyMs: number
}

export const defaultTimeouts: Timeouts = {
  firstReportMs: 10_000,
  heartbeatMs: 5000,
  pongMs: 2000,
  replyMs: 5000,
}

/** `timeout`: no reply in time, which ended the sandbox; `ended`: it ended before its reply; `not-sent`: it had ended before. */
export type NoReply = 'timeout' | 'ended' | 'not-sent'

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

/** Starts a sandbox. Throws when it cannot be started. `onEnd` is called once. */
export function startSandbox(options: {
  readonly command: readonly string[]
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly clock: Clock
  readonly timeouts: Timeouts
  readonly onState: (state: ReaderState) => void
  readonly onEnd: (end: SandboxEnd) => void
}): SandboxProcess {
  const { clock, timeouts } = options
  const sandbox = Bun.spawn([...options.command], {
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'inherit',
    env: { ...(options.env ?? process.env), ...gcTimerOff },
  })
  const pendingQueries = new Map<number, (reply: FeatureReply | NoReply) => void>()
  let end: SandboxEnd | undefined
  let lastId = 0

  const kill = (reason: SandboxEnd) => {
    end ??= reason
    // SIGKILL cannot be handled: the process hangs, or is not a sandbox.
    sandbox.kill('SIGKILL')
  }
  const send = (message: ToSandbox) => {
    try {
      // A process that cannot be written to is about to end.
      void Promise.resolve(sandbox.stdin.write(writeLine(message))).catch(ignore)
      void Promise.resolve(sandbox.stdin.flush()).catch(ignore)
    } catch {
      // The same.
    }
  }

  let cancelDeadline = clock.after(timeouts.firstReportMs, () => kill('no-reply'))
  let lastMessageAt = clock.now()
  let awaitingMessage = true

  const onMessage = (message: FromSandbox) => {
    cancelDeadline()
    awaitingMessage = false
    lastMessageAt = clock.now()
    if (message.type === 'state') options.onState(message.state)
    if (message.type === 'stuck') kill('stuck')
    if (message.type === 'reply') pendingQueries.get(message.reply.id)?.(message.reply)
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
    cancelDeadline()
    for (const resolve of pendingQueries.values()) resolve('ended')
    options.onEnd(end)
  }
  const listening = listen()

  return {
    pid: sandbox.pid,
    async queryFeatures(reader) {
      if (end) return 'not-sent'
      const id = ++lastId
      const { promise, resolve } = Promise.withResolvers<FeatureReply | NoReply>()
      const cancel = clock.after(timeouts.replyMs, () => {
        resolve('timeout')
        kill('query-timeout')
      })
      pendingQueries.set(id, resolve)
      send({ type: 'query', query: { id, reader } })
      try {
        return await promise
      } finally {
        cancel()
        pendingQueries.delete(id)
      }
    },
    checkAlive() {
      if (end || awaitingMessage || clock.now() - lastMessageAt < timeouts.heartbeatMs) return
      awaitingMessage = true
      send({ type: 'ping', id: ++lastId })
      cancelDeadline = clock.after(timeouts.pongMs, () => kill('no-reply'))
    },
    async stop() {
      kill('stopped')
      await listening
    },
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
