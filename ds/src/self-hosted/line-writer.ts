/** Writes log lines without waiting: an output that is closed, full or stuck loses lines, and never stops the service. */

/** As `write` of `node:fs`, for one output. `callback` gets the number of bytes that were written. */
type Write = (bytes: Uint8Array, callback: (error: Error | null, written?: number) => void) => void

export interface LineWriter {
  write(line: string): void
  /** Resolves with whether all is written, as soon as it is or a write has failed. */
  flush(): Promise<boolean>
}

/** How much is kept while the output takes nothing, in characters: some thousand lines. */
const maxWaiting = 1024 * 1024
/** How long after a failed write the next one follows, in milliseconds. */
const retryMs = 1000

/**
 * Writes the lines of a turn of the event loop in one call, and those that come meanwhile in the next. What cannot be
 * written is kept; when that is too much, newer lines are lost, and `describeLoss` makes the line that says how many, which
 * follows as soon as the others were written.
 */
export function createLineWriter(
  write: Write,
  describeLoss: (lines: number) => string,
): LineWriter {
  let waiting = ''
  let lost = 0
  /** What the last call was given and has not written yet. */
  let rest = new Uint8Array()
  let state: 'idle' | 'scheduled' | 'writing' | 'failed' = 'idle'
  let waiters: ((isWritten: boolean) => void)[] = []

  return {
    write(line) {
      if (waiting.length + line.length > maxWaiting) {
        lost += 1
        return
      }
      waiting += line
      if (state !== 'idle') return
      state = 'scheduled'
      setImmediate(writeNext)
    },
    flush() {
      const written = new Promise<boolean>((resolve) => waiters.push(resolve))
      if (state !== 'writing') writeNext()
      return written
    },
  }

  function writeNext(): void {
    if (state === 'writing') return
    if (rest.length === 0) rest = new TextEncoder().encode(takeWaiting())
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

  function takeWaiting(): string {
    const text = waiting + (lost > 0 ? describeLoss(lost) : '')
    waiting = ''
    lost = 0
    return text
  }

  function settle(isWritten: boolean): void {
    for (const resolve of waiters) resolve(isWritten)
    waiters = []
  }
}
