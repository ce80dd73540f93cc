/** One request to a card process: with the PIN that came with it, or with the one that is kept. */
import type { CardRequest, CardResult } from '../system/ipc/card-messages.ts'
import type { KeptPin } from './kept-pin.ts'

type RunRequest = (request: CardRequest, pin: Uint8Array) => CardResult

/** A kept PIN serves one series of signatures: whatever else wants a PIN ends it, and so does a failure. */
export function createRequestRunner(runRequest: RunRequest, keptPin: KeptPin): RunRequest {
  return (request, pin) => {
    const { operation, kept } = request
    if (kept?.use !== 'again') {
      if (operation.kind === 'sign' || operation.kind === 'verify') keptPin.forget()
      const result = runRequest(request, pin)
      if (kept) keptPin.keep(kept.id, operation, pin)
      return result
    }
    try {
      return runRequest(request, keptPin.take(kept.id, operation))
    } catch (error) {
      keptPin.forget()
      throw error
    }
  }
}
