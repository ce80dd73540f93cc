/** Asks persons for PINs: one dialog at a time over all pages, one request of each origin, until its time is over. */
import { isPinAllowed } from '../card-modules/pin-rule.ts'
import type { AskSecret } from '../desktop/secret-entry.ts'
import type { PinRefusal, PinRequest, RequestPin } from './pin-request.ts'
import { describe, findTexts } from './pin-texts.ts'

/** How long a request may take, in milliseconds, whatever the page asks for. */
export const pinTimeout = { minMs: 10_000, maxMs: 180_000 } as const

/** How often the dialog comes back for a PIN that the card could not even read. */
const maxEntries = 3

export interface PinServiceOptions {
  readonly askSecret: AskSecret
  /** The person's language, a tag of BCP 47. */
  readonly language: string
}

const refusals = {
  busy: {
    problem: 'pin-busy',
    reason: 'Cannot ask for a PIN: this page waits for one already; wait for its answer',
  },
  cancelled: { problem: 'pin-cancelled', reason: 'Cannot go on: the person entered no PIN' },
  invalid: {
    problem: 'pin-invalid',
    reason:
      'Cannot go on: what the person entered has another length, or characters that the card does not take',
  },
  timeout: { problem: 'pin-timeout', reason: 'Cannot go on: nobody entered a PIN in time' },
  unavailable: {
    problem: 'dialog-unavailable',
    reason:
      'Cannot ask for a PIN: no window can be shown here; on Linux install a graphical pinentry, such as pinentry-gnome3 or pinentry-qt',
  },
} as const satisfies Record<string, PinRefusal>

export function createPinService({ askSecret, language }: PinServiceOptions): RequestPin {
  const waiting = new Set<string | undefined>()
  /** Settles when the dialogs that were asked for so far are over. */
  let dialogs: Promise<unknown> = Promise.resolve()

  const enter = async (
    request: PinRequest,
    signal: AbortSignal,
  ): Promise<Uint8Array | PinRefusal> => {
    const texts = findTexts(request.language, language)
    const { min, max, alphabet } = request.pin
    const wrongForm = texts.wrongForm(min, max, alphabet === 'digits')
    for (let entry = 1; entry <= maxEntries && !signal.aborted; entry += 1) {
      const answer = await askSecret(
        {
          title: 'Cardwire',
          text: describe(request, texts),
          prompt: texts.prompt,
          submit: texts.submit[request.act],
          cancel: texts.cancel,
          error: entry === 1 ? undefined : wrongForm,
        },
        signal,
      )
      if (answer.kind !== 'entered')
        return answer.kind === 'late' ? late(request) : refusals[answer.kind]
      if (!signal.aborted && isPinAllowed(request.pin, answer.secret)) return answer.secret
      answer.secret.fill(0)
    }
    return signal.aborted ? late(request) : refusals.invalid
  }

  return async (request) => {
    if (waiting.has(request.origin)) return refusals.busy
    waiting.add(request.origin)
    const ms = Math.min(Math.max(request.timeoutMs, pinTimeout.minMs), pinTimeout.maxMs)
    const signal = AbortSignal.any([request.signal, AbortSignal.timeout(ms)])
    const before = dialogs
    const own = Promise.race([before, aborted(signal)]).then(() =>
      signal.aborted ? late(request) : enter(request, signal),
    )
    // One that goes before its turn leaves the turn of those before it as it is.
    dialogs = Promise.allSettled([before, own])
    try {
      return await own
    } finally {
      waiting.delete(request.origin)
    }
  }
}

const late = ({ signal }: PinRequest): PinRefusal =>
  signal.aborted ? refusals.cancelled : refusals.timeout

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
