/** Asks users for PINs, each in its turn among all dialogs, with pauses after a refusal. */
import { isPinAllowed } from '../../sandbox/card-modules/pin-rule.ts'
import type { AskSecret } from '../../system/desktop/secret-entry.ts'
import type { AskForAttempt } from './confirm-attempt.ts'
import type { DialogEnd, PausedDialogs } from './paused-dialogs.ts'
import { refusals, refuseLate } from './pin-refusals.ts'
import type { AttemptConfirmation, PinRefusal, PinRequest, RequestPin } from './pin-request.ts'
import { describe, findTexts } from './pin-texts.ts'

/** How often the dialog comes back for a PIN that the card could not even read, or that came before the window was read. */
const maxEntries = 3

export interface PinServiceOptions {
  readonly askSecret: AskSecret
  readonly askForAttempt: AskForAttempt
  readonly dialogs: PausedDialogs
  /** The user's language, a tag of BCP 47. */
  readonly language: string
}

export function createPinService(options: PinServiceOptions): RequestPin {
  const { dialogs } = options
  return async (request) => {
    const key = request.origin
    const retryAfterS = dialogs.findPauseS(key)
    if (retryAfterS !== undefined) return { ...refusals.cancelled, retryAfterS }
    const answer = await dialogs.show({
      key,
      request,
      show: (signal) => enter(options, request, signal),
      readEnd: readPinEnd,
    })
    if (answer === 'busy') return refusals.busy
    return answer === 'late' ? refuseLate(request) : answer
  }
}

/** Only the card can say whether a PIN that was entered is one. */
const readPinEnd = (answer: Uint8Array | PinRefusal): DialogEnd =>
  'problem' in answer && answer.problem !== 'dialog-unavailable' ? 'refused' : 'undecided'

async function enter(
  { askSecret, askForAttempt, language }: PinServiceOptions,
  request: PinRequest,
  signal: AbortSignal,
): Promise<Uint8Array | PinRefusal> {
  const texts = findTexts(request.language, language)
  const { min, max, alphabet } = request.pin
  const wrongForm = texts.pin.wrongForm(min, max, alphabet === 'digits')
  let confirmation = request.findConfirmation?.()
  const triesLeft = confirmation?.triesLeft ?? request.triesLeft
  const text = describe({ ...request, triesLeft }, texts)
  let error: string | undefined
  for (let entry = 1; entry <= maxEntries && !signal.aborted; entry += 1) {
    if (confirmation) {
      const decision = await askForAttempt(request, confirmation, signal)
      if (decision !== 'accepted') return refuse(decision, request)
    }
    const answer = await askSecret(
      {
        ...{ title: 'Cardwire', text, error, prompt: texts.pin.prompt },
        ...{ submit: texts.pin.submit[request.act], cancel: texts.cancel },
      },
      signal,
    )
    confirmation = undefined
    if (answer.kind === 'early') {
      confirmation = { reason: 'early', triesLeft } satisfies AttemptConfirmation
      continue
    }
    if (answer.kind !== 'entered') return refuse(answer.kind, request)
    if (!signal.aborted && isPinAllowed(request.pin, answer.secret)) return answer.secret
    answer.secret.fill(0)
    error = wrongForm
  }
  if (signal.aborted) return refuseLate(request)
  return confirmation ? refusals.cancelled : refusals.invalid
}

const refuse = (end: 'cancelled' | 'late' | 'unavailable', request: PinRequest): PinRefusal =>
  end === 'late' ? refuseLate(request) : refusals[end]
