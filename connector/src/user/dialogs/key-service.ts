/** Asks users whether a page may use a key that the system keeps: each time, in its turn among all dialogs. */
import type { AskQuestion } from '../../system/desktop/question.ts'
import type { QueueDialog } from './dialog-queue.ts'
import type { AskForKeyUse, KeyUseRefusal } from './key-request.ts'
import { describeKeyUse } from './key-texts.ts'
import { createPausedDialogs, readDecisionEnd } from './paused-dialogs.ts'
import { createRefusalPauses } from './refusal-pauses.ts'

export interface KeyServiceOptions {
  readonly askQuestion: AskQuestion
  readonly queueDialog: QueueDialog
  /** The user's language, a tag of BCP 47. */
  readonly language: string
  /** Milliseconds; never set back. */
  readonly clock: () => number
}

const refused = {
  problem: 'pin-cancelled',
  reason: 'Cannot use the key: the user does not allow it',
} as const satisfies KeyUseRefusal
const late = {
  problem: 'pin-timeout',
  reason: 'Cannot use the key: the user did not respond in time',
} as const satisfies KeyUseRefusal
const busy = {
  problem: 'pin-busy',
  reason: 'Cannot ask: the user is being asked for this page already; wait for that',
} as const satisfies KeyUseRefusal
const unavailable = {
  problem: 'dialog-unavailable',
  reason: 'Cannot ask the user: no window can be shown here',
} as const satisfies KeyUseRefusal

export function createKeyService(options: KeyServiceOptions): AskForKeyUse {
  const { askQuestion, queueDialog, language, clock } = options
  const dialogs = createPausedDialogs(queueDialog, createRefusalPauses(clock))

  return async (request) => {
    const key = request.origin ?? ''
    const retryAfterS = dialogs.findPauseS(key)
    if (retryAfterS !== undefined) return { ...refused, retryAfterS }
    const decision = await dialogs.show({
      key,
      request,
      show: (closed) => askQuestion(describeKeyUse(request, language), closed),
      readEnd: readDecisionEnd,
    })
    if (decision === 'busy') return busy
    if (decision === 'unavailable') return unavailable
    if (decision === 'accepted' && !request.signal.aborted) return 'accepted'
    return decision === 'refused' ? refused : late
  }
}
