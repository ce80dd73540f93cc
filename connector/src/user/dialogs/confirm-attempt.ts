/** Asks the user before an attempt with a PIN is made that could cost the card: a question whose refusing button has the focus. */
import type { AskQuestion } from '../../system/desktop/question.ts'
import type { PausedDialogs } from './paused-dialogs.ts'
import { refusals, refuseLate } from './pin-refusals.ts'
import type { AttemptConfirmation, ConfirmAttempt, PinRequest } from './pin-request.ts'
import { describeAttempt, findTexts } from './pin-texts.ts'

/** Within a dialog that has its turn. */
export type AskForAttempt = (
  request: PinRequest,
  confirmation: AttemptConfirmation,
  signal: AbortSignal,
) => Promise<'accepted' | 'cancelled' | 'late' | 'unavailable'>

/** `language`: the user's, a tag of BCP 47. */
export const createAttemptQuestion =
  (askQuestion: AskQuestion, language: string): AskForAttempt =>
  async (request, confirmation, signal) => {
    const texts = findTexts(request.language, language)
    const decision = await askQuestion(describeAttempt(request, confirmation, texts), signal)
    return decision === 'refused' ? 'cancelled' : decision
  }

/** The same as a separate dialog. */
export const createConfirmAttempt =
  (askForAttempt: AskForAttempt, dialogs: PausedDialogs): ConfirmAttempt =>
  async (request, confirmation) => {
    const key = request.origin
    const retryAfterS = dialogs.findPauseS(key)
    if (retryAfterS !== undefined) return { ...refusals.cancelled, retryAfterS }
    const answer = await dialogs.show({
      key,
      request,
      show: (signal) => askForAttempt(request, confirmation, signal),
      readEnd: (end) => (end === 'cancelled' || end === 'late' ? 'refused' : 'undecided'),
    })
    if (answer === 'accepted') return request.signal.aborted ? refuseLate(request) : undefined
    return answer === 'late' ? refuseLate(request) : refusals[answer]
  }
