/** One sandbox process as the API sees it: what it says, what it is asked, and how it ends. */
import { linesOf } from '../sandbox/lines.ts'
import {
  type Answer,
  FromSandbox,
  readLine,
  type Sight,
  type ToSandbox,
  writeLine,
} from '../sandbox/messages.ts'
import type { Clock } from './clock.ts'

/** Deadlines of a sandbox, in milliseconds. */
export interface Pace {
  /** From its start to its first word. */
  readonly firstWordMs: number
  /** From its last word to the first time a look makes it prove that it lives. */
  readonly heartbeatMs: number
  /** From a ping to its pong. */
  readonly pongMs: number
  /** From a question about a reader to its answer. */
  readonly answerMs: number
}

export const usualPace: Pace = {
  firstWordMs: 10_000,
  heartbeatMs: 5000,
  pongMs: 2000,
  answerMs: 5000,
}

/**
 * `hung`: no answer in time, which ended the sandbox; `gone`: it ended on the way; `unasked`: it had ended before.
 */
export type NoAnswer = 'hung' | 'gone' | 'unasked'

// Bun 1.4.5 collects garbage every second in each thread, whether there is any or not: 2 ms of work in idle seconds.
const quiet = { BUN_GC_TIMER_DISABLE: '1' }

/** Why a sandbox is no more. */
export type End = 'ended' | 'silent' | 'stuck' | 'hung-question' | 'garbage' | 'stopped'

export interface Child {
  readonly pid: number
  /** What a reader answers. */
  ask(reader: string): Promise<Answer | NoAnswer>
  /** Has it prove that it lives, when it has not for a while; ends it when it cannot. */
  check(): void
  stop(): Promise<void>
}

/** Starts a sandbox. Throws when it cannot be. `ended` is called once. */
export function startChild(options: {
  readonly command: readonly string[]
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly clock: Clock
  readonly pace: Pace
  readonly seen: (sight: Sight) => void
  readonly ended: (end: End) => void
}): Child {
  const { clock, pace } = options
  const sandbox = Bun.spawn([...options.command], {
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'inherit',
    env: { ...(options.env ?? process.env), ...quiet },
  })
  const questions = new Map<number, (answer: Answer | NoAnswer) => void>()
  let end: End | undefined
  let count = 0

  const kill = (reason: End) => {
    end ??= reason
    // Not a signal it could think about: it hangs, or it is a stranger.
    sandbox.kill('SIGKILL')
  }
  const send = (message: ToSandbox) => {
    try {
      // When it cannot be written to, its end is on the way.
      void Promise.resolve(sandbox.stdin.write(writeLine(message))).catch(nothing)
      void Promise.resolve(sandbox.stdin.flush()).catch(nothing)
    } catch {
      // The same.
    }
  }

  let cancelDeadline = clock.after(pace.firstWordMs, () => kill('silent'))
  let lastWord = clock.now()
  let waiting = true

  const hear = (message: FromSandbox) => {
    cancelDeadline()
    waiting = false
    lastWord = clock.now()
    if (message.type === 'sight') options.seen(message.sight)
    if (message.type === 'stuck') kill('stuck')
    if (message.type === 'answer') questions.get(message.answer.id)?.(message.answer)
  }
  const listen = async () => {
    try {
      for await (const line of linesOf(sandbox.stdout)) {
        const message = parsed(line)
        if (!message) kill('garbage')
        if (end || !message) break
        hear(message)
      }
    } catch {
      kill('garbage')
    }
    // Whoever closed its output without ending is of no use either.
    sandbox.kill('SIGKILL')
    await sandbox.exited
    end ??= 'ended'
    cancelDeadline()
    for (const answer of questions.values()) answer('gone')
    options.ended(end)
  }
  const listening = listen()

  return {
    pid: sandbox.pid,
    async ask(reader) {
      if (end) return 'unasked'
      const id = ++count
      const { promise, resolve } = Promise.withResolvers<Answer | NoAnswer>()
      const cancel = clock.after(pace.answerMs, () => {
        resolve('hung')
        kill('hung-question')
      })
      questions.set(id, resolve)
      send({ type: 'ask', question: { id, reader } })
      try {
        return await promise
      } finally {
        cancel()
        questions.delete(id)
      }
    },
    check() {
      if (end || waiting || clock.now() - lastWord < pace.heartbeatMs) return
      waiting = true
      send({ type: 'ping', id: ++count })
      cancelDeadline = clock.after(pace.pongMs, () => kill('silent'))
    },
    async stop() {
      kill('stopped')
      await listening
    },
  }
}

const nothing = () => undefined

function parsed(line: string): FromSandbox | undefined {
  try {
    return readLine(FromSandbox, line)
  } catch {
    return undefined
  }
}
