/** The queue of dialogs: one is shown at a time, over all pages and questions; an origin has one in the queue, until its time is over. */

/** How long a dialog may take, in milliseconds, whatever the page asks for; waiting for others is part of it. */
export const dialogTimeout = { minMs: 10_000, maxMs: 180_000 } as const

export interface DialogRequest {
  /** Of the page; undefined: a program of this user asks. */
  readonly origin: string | undefined
  readonly timeoutMs: number
  /** Ends the dialog: the card, the page or the consent has gone. */
  readonly signal: AbortSignal
}

/**
 * Shows a dialog when its turn has come. `busy`: this origin waits for one already; `late`: the signal or the time came before the
 * turn. `show` gets the signal that ends its dialog.
 */
export type QueueDialog = <T>(
  request: DialogRequest,
  show: (signal: AbortSignal) => Promise<T>,
) => Promise<T | 'busy' | 'late'>

export function createDialogQueue(): QueueDialog {
  const waiting = new Set<string | undefined>()
  /** Settles when the dialogs that were asked for so far are over. */
  let dialogs: Promise<unknown> = Promise.resolve()

  return async ({ origin, timeoutMs, signal: withdrawal }, show) => {
    if (waiting.has(origin)) return 'busy'
    waiting.add(origin)
    const ms = Math.min(Math.max(timeoutMs, dialogTimeout.minMs), dialogTimeout.maxMs)
    const signal = AbortSignal.any([withdrawal, AbortSignal.timeout(ms)])
    const before = dialogs
    const own = Promise.race([before, whenAborted(signal)]).then(async () =>
      signal.aborted ? 'late' : await show(signal),
    )
    // One that goes before its turn leaves the turn of those before it as it is.
    dialogs = Promise.allSettled([before, own])
    try {
      return await own
    } finally {
      waiting.delete(origin)
    }
  }
}

export const whenAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
