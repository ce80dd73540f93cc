/** Asks persons for PINs, each in its turn among all dialogs. */
import { isPinAllowed } from '../../sandbox/card-modules/pin-rule.ts'
import type { AskSecret } from '../../system/desktop/secret-entry.ts'
import type { QueueDialog } from './dialog-queue.ts'
import type { PinRefusal, PinRequest, RequestPin } from './pin-request.ts'
import { describe, findTexts } from './pin-texts.ts'

/** How often the dialog comes back for a PIN that the card could not even read. */
const maxEntries = 3

export interface PinServiceOptions {
  readonly askSecret: AskSecret
  readonly queueDialog: QueueDialog
  /** The person's language, a tag of BCP 47. */
  readonly language: string
}

/** Why there is no PIN. */
export const refusals = {
  busy: {
    problem: 'pin-busy',
    reason: 'Cannot ask for a PIN: the person is being asked for this page already; wait for that',
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

export function createPinService({
  askSecret,
  queueDialog,
  language,
}: PinServiceOptions): RequestPin {
  const enter = async (
    request: PinRequest,
    signal: AbortSignal,
  ): Promise<Uint8Array | PinRefusal> => {
    const texts = findTexts(request.language, language)
    const { min, max, alphabet } = request.pin
    const wrongForm = texts.pin.wrongForm(min, max, alphabet === 'digits')
    for (let entry = 1; entry <= maxEntries && !signal.aborted; entry += 1) {
      const answer = await askSecret(
        {
          title: 'Cardwire',
          text: describe(request, texts),
          prompt: texts.pin.prompt,
          submit: texts.pin.submit[request.act],
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
    const answer = await queueDialog(request, (signal) => enter(request, signal))
    if (answer === 'busy') return refusals.busy
    return answer === 'late' ? late(request) : answer
  }
}

const late = ({ signal }: PinRequest): PinRefusal =>
  signal.aborted ? refusals.cancelled : refusals.timeout
