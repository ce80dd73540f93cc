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

export interface Mailbox {
  put(question: Question): void
  /** Resolves with what has come, `[]` when nothing does in time. `gone`: whoever polls went away. */
  take(gone: AbortSignal): Promise<readonly Question[]>
  /** Answers a poll that waits, with nothing. */
  release(): void
  close(): void
}

/** `silent` is called once, when nobody has polled for too long. */
export function openMailbox(clock: Clock, patience: Patience, silent: () => void): Mailbox {
  let waiting: Question[] = []
  let poll: ((questions: readonly Question[]) => void) | undefined
  let closed = false
  let cancelSilence = clock.after(patience.silentMs, silent)

  /** Ends the poll that waits. A second question of the same moment waits for the next. */
  function answer(): void {
    const questions = waiting
    const resolve = poll
    if (!resolve) return
    waiting = []
    poll = undefined
    resolve(questions)
  }

  return {
    put(question) {
      waiting.push(question)
      answer()
    },
    async take(gone) {
      answer()
      cancelSilence()
      const { promise, resolve } = Promise.withResolvers<readonly Question[]>()
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
