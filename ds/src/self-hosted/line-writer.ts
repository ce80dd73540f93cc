/** Writes log lines without waiting: an output that is closed, full or stuck loses lines, and never stops the service. */

/** As `write` of `node:fs`, for one output. `callback` gets the number of bytes that were written. */
type Write = (bytes: Uint8Array, callback: (error: Error | null, written?: number) => void) => void

export interface LineWriter {
  /** Writes a line with the others of this turn of the event loop, or, when it may wait, within `maxDelayMs`. */
  write(line: string, mayWait?: boolean): void
  /** Resolves with whether all is written, as soon as it is or a write has failed. */
  flush(): Promise<boolean>
  /** What no call was given yet, which the caller has to write: for the end of a process that fails. */
  takeRest(): Uint8Array
}

/** How long a line may wait for others, in milliseconds: what a process that is killed at once may not have written. */
const maxDelayMs = 50
/** How much waits at most, in characters: some two hundred lines. */
const maxTogether = 64 * 1024

/** How much is kept while the output takes nothing, in characters: some thousand lines. */
const maxWaiting = 1024 * 1024
/** How long after a failed write the next one follows, in milliseconds. */
const retryMs = 1000

/**
 * Writes lines together, and those that come meanwhile in the next call: each call is a turn of another thread. What cannot be
 * written is kept; when that is too much, newer lines are lost, and `describeLoss` makes the line that says how many, which
 * follows as soon as the others were written.
 */
export function createLineWriter(
  write: Write,
  describeLoss: (lines: number) => string,
): LineWriter {
  const waiting = createWaitingLines(describeLoss)
  /** What the last call was given and has not written yet. */
  let rest = new Uint8Array()
  let state: 'idle' | 'delayed' | 'scheduled' | 'writing' | 'failed' = 'idle'
  let delay: ReturnType<typeof setTimeout> | undefined
  let waiters: ((isWritten: boolean) => void)[] = []

  return {
    write(line, mayWait = false) {
      if (!waiting.add(line) || (state !== 'idle' && state !== 'delayed')) return
      if (!mayWait || waiting.length() > maxTogether) {
        clearTimeout(delay)
        state = 'scheduled'
        setImmediate(writeNext)
      } else if (state === 'idle') {
        state = 'delayed'
        delay = setTimeout(writeNext, maxDelayMs)
      }
    },
    flush() {
      const written = new Promise<boolean>((resolve) => waiters.push(resolve))
      if (state !== 'writing') writeNext()
      return written
    },
    takeRest() {
      const unwritten = waiting.take()
      if (state === 'writing' || rest.length === 0) return unwritten
      const all = Buffer.concat([rest, unwritten])
      rest = new Uint8Array()
      return all
    },
  }

  function writeNext(): void {
    if (state === 'writing') return
    clearTimeout(delay)
    if (rest.length === 0) rest = waiting.take()
    if (rest.length === 0) {
      state = 'idle'
      settle(true)
      return
    }
    state = 'writing'
    write(rest, (error, written = 0) => {
      state = 'idle'
      if (!error) {
        rest = rest.subarray(written)
        writeNext()
        return
      }
      state = 'failed'
      settle(false)
      setTimeout(writeNext, retryMs).unref()
    })
  }

  function settle(isWritten: boolean): void {
    for (const resolve of waiters) resolve(isWritten)
    waiters = []
  }
}

/** The lines that no call was given yet; newer ones are lost while they are too many. */
function createWaitingLines(describeLoss: (lines: number) => string) {
  let text = ''
  let lost = 0
  return {
    length: () => text.length,
    /** False when the line is lost. */
    add(line: string): boolean {
      const isKept = text.length + line.length <= maxWaiting
      if (isKept) text += line
      else lost += 1
      return isKept
    },
    take(): Uint8Array<ArrayBuffer> {
      const taken = text + (lost > 0 ? describeLoss(lost) : '')
      text = ''
      lost = 0
      return new TextEncoder().encode(taken)
    },
  }
}
