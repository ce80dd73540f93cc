/** Opens what asks the user for PINs: windows and notices that share one set of pauses. */
import type { Desktop } from '../../system/desktop/desktop.ts'
import { createAttemptQuestion, createConfirmAttempt } from './confirm-attempt.ts'
import type { QueueDialog } from './dialog-queue.ts'
import { createPadService } from './pad-service.ts'
import { createPausedDialogs } from './paused-dialogs.ts'
import type { ConfirmAttempt, RequestPin, UsePad } from './pin-request.ts'
import { createPinService } from './pin-service.ts'
import { createRefusalPauses, type RefusalPauses } from './refusal-pauses.ts'

export interface PinDialogs {
  readonly requestPin: RequestPin
  readonly usePad: UsePad
  readonly confirmAttempt: ConfirmAttempt
  /**
   * By origin: the card's answer to a PIN starts and ends a pause, too. Programs of the user have none: they can send PINs to the
   * card themselves.
   */
  readonly pinPauses: Pick<RefusalPauses, 'recordRefusal' | 'forget'>
}

export interface PinDialogOptions {
  readonly queueDialog: QueueDialog
  /** The user's language, a tag of BCP 47. */
  readonly language: string
  /** Milliseconds; never set back. */
  readonly clock: () => number
}

export function openPinDialogs(
  { askSecret, showNotice, askQuestion }: Pick<Desktop, 'askSecret' | 'showNotice' | 'askQuestion'>,
  { queueDialog, language, clock }: PinDialogOptions,
): PinDialogs {
  const pinPauses = createRefusalPauses(clock)
  const dialogs = createPausedDialogs(queueDialog, pinPauses)
  const askForAttempt = createAttemptQuestion(askQuestion, language)
  const shared = { askForAttempt, dialogs, language }
  return {
    pinPauses,
    requestPin: createPinService({ askSecret, ...shared }),
    usePad: createPadService({ showNotice, ...shared }),
    confirmAttempt: createConfirmAttempt(askForAttempt, dialogs),
  }
}
