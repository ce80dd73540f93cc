/** Opens what asks the person, over one queue of dialogs. */
import type { Desktop } from '../desktop/desktop.ts'
import { createDialogQueue } from './dialog-queue.ts'
import type { AskForIdentity } from './identity-request.ts'
import { createIdentityService } from './identity-service.ts'
import { createPadService } from './pad-service.ts'
import type { RequestPin, UsePad } from './pin-request.ts'
import { createPinService } from './pin-service.ts'

export interface Dialogs {
  readonly requestPin: RequestPin
  readonly usePad: UsePad
  readonly askForIdentity: AskForIdentity
}

/** `language`: the person's, a tag of BCP 47. */
export function openDialogs(
  { askSecret, showNotice, askQuestion }: Pick<Desktop, 'askSecret' | 'showNotice' | 'askQuestion'>,
  language: string,
): Dialogs {
  const takeTurn = createDialogQueue()
  const clock = () => performance.now()
  return {
    requestPin: createPinService({ askSecret, takeTurn, language }),
    usePad: createPadService({ showNotice, takeTurn, language }),
    askForIdentity: createIdentityService({ askQuestion, takeTurn, language, clock }),
  }
}
