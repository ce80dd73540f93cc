/** Shows dialogs in their turn, and after a "no" not again for a while: one rule for everything that a page can have the user asked. */
import type { Decision } from '../../system/desktop/question.ts'
import type { DialogRequest, QueueDialog } from './dialog-queue.ts'
import type { RefusalPauses } from './refusal-pauses.ts'

/** What a dialog that was shown says about the next one; `undecided`: nothing yet. */
export type DialogEnd = 'accepted' | 'refused' | 'undecided'

export interface PausedDialog<T> {
  /** What the pause is for; undefined: there is none. */
  readonly key: string | undefined
  readonly request: DialogRequest
  readonly show: (signal: AbortSignal) => Promise<T>
  /** A dialog that closes without an answer is refused. */
  readonly readEnd: (answer: T) => DialogEnd
}

export interface PausedDialogs {
  /** Seconds until the user can be asked again; undefined: now. */
  findPauseS(key: string | undefined): number | undefined
  /** The answers of `QueueDialog`; the caller has asked for the pause. */
  show<T>(dialog: PausedDialog<T>): Promise<T | 'busy' | 'late'>
}

export function createPausedDialogs(
  queueDialog: QueueDialog,
  pauses: RefusalPauses,
): PausedDialogs {
  const record = (key: string, signal: AbortSignal, end: DialogEnd): void => {
    if (signal.aborted) pauses.recordWithdrawal(key)
    else if (end === 'accepted') pauses.forget(key)
    else if (end === 'refused') pauses.recordRefusal(key)
  }

  return {
    findPauseS(key) {
      const waitMs = key === undefined ? 0 : pauses.remainingMs(key)
      return waitMs > 0 ? Math.ceil(waitMs / 1000) : undefined
    },
    show: ({ key, request, show, readEnd }) =>
      queueDialog(request, async (signal) => {
        const answer = await show(signal)
        if (key !== undefined) record(key, request.signal, readEnd(answer))
        return answer
      }),
  }
}

export const readDecisionEnd = (decision: Decision): DialogEnd => {
  if (decision === 'accepted') return 'accepted'
  return decision === 'unavailable' ? 'undecided' : 'refused'
}
