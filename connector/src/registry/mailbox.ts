/** The questions that wait for one API, and the long poll in which it waits for them. */
import type { Question } from '../agent/protocol.ts'
import type { Clock } from '../readers/clock.ts'

/** Milliseconds. */
export interface Patience {
  /** An idle poll is answered after this. */
  readonly idleMs: number
  /** Without a poll for so long, nobody is there. */
  readonly silentMs: number
  /** The same when its last poll broke off: whoever lives comes back at once. */
  readonly brokenMs: number
}

/** A question on its way to the API. */
export type Delivered = Question & {
  /** Milliseconds, from its arrival, in which an answer still counts. */
  readonly leftMs?: number | undefined
}

export interface Mailbox {
  /** `until`: when its time is up, on the clock. What it answers takes the question out again; undefined: no room. */
  put(question: Question, until?: number): (() => void) | undefined
  /** Resolves with what has come, `[]` when nothing does in time. `gone`: whoever polls went away. */
  take(gone: AbortSignal): Promise<readonly Delivered[]>
  /** Answers a poll that waits, with nothing. */
  release(): void
  close(): void
}

/** Questions that wait for one API, and those of them that go out together: what a poll reads has a bound. */
export const most = { waiting: 1000, atOnce: 200 } as const
/** What an answer takes on its way back, in milliseconds. */
const wayBackMs = 50

interface Waiting {
  readonly question: Question
  readonly until: number | undefined
}

/** `silent` is called once, when nobody has polled for too long. */
export function openMailbox(clock: Clock, patience: Patience, silent: () => void): Mailbox {
  const waiting: Waiting[] = []
  let poll: ((questions: readonly Delivered[]) => void) | undefined
  let closed = false
  let cancelSilence = clock.after(patience.silentMs, silent)

  /** Ends the poll that waits. A second question of the same moment waits for the next. */
  function answer(): void {
    const resolve = poll
    if (!resolve) return
    poll = undefined
    const now = clock.now()
    resolve(
      waiting.splice(0, most.atOnce).map(({ question, until }) => ({
        ...question,
        ...(until !== undefined && { leftMs: Math.max(0, Math.floor(until - now - wayBackMs)) }),
      })),
    )
  }

  return {
    put(question, until) {
      if (waiting.length >= most.waiting) return undefined
      const one = { question, until }
      waiting.push(one)
      answer()
      return () => {
        const at = waiting.indexOf(one)
        if (at >= 0) waiting.splice(at, 1)
      }
    },
    async take(gone) {
      answer()
      cancelSilence()
      const { promise, resolve } = Promise.withResolvers<readonly Delivered[]>()
      const own = () => poll === resolve && answer()
      poll = resolve
      const cancelIdle = clock.after(patience.idleMs, own)
      gone.addEventListener('abort', own)
      if (waiting.length > 0 || gone.aborted || closed) answer()
      const questions = await promise
      cancelIdle()
      gone.removeEventListener('abort', own)
      // Another poll may have taken its place.
      if (poll === undefined && !closed) {
        cancelSilence()
        cancelSilence = clock.after(gone.aborted ? patience.brokenMs : patience.silentMs, silent)
      }
      return questions
    },
    release: answer,
    close() {
      closed = true
      cancelSilence()
      answer()
    },
  }
}
