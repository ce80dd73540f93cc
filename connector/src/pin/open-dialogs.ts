/** Opens what asks the person, over one queue of dialogs. */
import type { Desktop } from '../desktop/desktop.ts'
import { createDialogQueue } from './dialog-queue.ts'
import type { RequestPin } from './pin-request.ts'
import { createPinService } from './pin-service.ts'

export interface Dialogs {
  readonly requestPin: RequestPin
}

/** `language`: the person's, a tag of BCP 47. */
export function openDialogs({ askSecret }: Pick<Desktop, 'askSecret'>, language: string): Dialogs {
  const takeTurn = createDialogQueue()
  return { requestPin: createPinService({ askSecret, takeTurn, language }) }
}
