/** An operation whose PIN the user types at the reader's own pad. */
import type { UsePad } from '../user/dialogs/pin-request.ts'
import type { ApiServices } from './api-services.ts'
import {
  createPinRequest,
  type PinCall,
  type PinCardOperation,
  toCardMs,
  toRequireWanted,
} from './pin-call.ts'

/** Seconds that a pad waits for its user at most: for so long no other caller has the card. */
const maxPadTimeoutS = 30

/** The user types within the transaction, directly before each signature; cancelling ends the card's process. */
export function runAtPad<O extends PinCardOperation>(
  { cardAccess }: Pick<ApiServices, 'cardAccess'>,
  call: PinCall<O>,
  usePad: UsePad,
) {
  const { operation, pinOperation, attempt } = call
  const request = createPinRequest(call, undefined)
  const padTimeoutS = Math.min(request.timeoutMs / 1000, maxPadTimeoutS)
  const timeoutMs = toCardMs(pinOperation) + (request.count ?? 1) * padTimeoutS * 1000
  return usePad(request, async (signal) => {
    pinOperation.check?.()
    const typed = { ...operation, padTimeoutS }
    const options = { signal, timeoutMs, requireWanted: toRequireWanted(call) }
    const result = await attempt.make(() => cardAccess.run(request.reader, typed, options))
    // It may have ended while the user typed.
    pinOperation.check?.()
    return result
  })
}
