/** Attempts with PINs of cards: after a wrong PIN, and before the last attempt, the user has to agree. No PIN is here. */

import { Problem } from '@cardwire/protocol/problem'
import type { AttemptConfirmation } from '../user/dialogs/pin-request.ts'
import type { ApiServices } from './api-services.ts'
import { isRefusedPin } from './card-pins.ts'
import type { PinAttempt, PinState } from './pin-call.ts'
import { createWrongPins } from './wrong-pins.ts'

export function createPinAttempts({ readers }: Pick<ApiServices, 'readers'>) {
  const wrongPins = createWrongPins(readers)
  /** By reader: settles when the attempt that was begun last is over. */
  const turns = new Map<string, Promise<unknown>>()

  const takeTurn = <T>(reader: string, act: () => Promise<T>): Promise<T> => {
    const own = (turns.get(reader) ?? Promise.resolve()).then(act)
    const settled = own.catch(() => undefined)
    turns.set(reader, settled)
    void settled.then(() => turns.get(reader) === settled && turns.delete(reader))
    return own
  }

  const findConfirmation = (state: PinState): AttemptConfirmation | undefined => {
    const wrong = wrongPins.find(state)
    // What was read before may be more by now: other requests and programs make attempts, too.
    const triesLeft = findLeast(wrong?.triesLeft, state.triesLeft)
    if (triesLeft === 1) return { reason: 'last', triesLeft }
    return wrong && { reason: 'refused', triesLeft }
  }

  return (state: PinState): PinAttempt => {
    const known = wrongPins.find(state)?.triesLeft
    // The PIN was right elsewhere, or another card is in the reader.
    if (known !== undefined && (state.triesLeft ?? 0) > known) wrongPins.forget(state)
    let agreed: AttemptConfirmation | undefined
    return {
      findConfirmation() {
        agreed = findConfirmation(state)
        return agreed
      },
      make: (send) =>
        takeTurn(state.card.reader, async () => {
          const isLast = findConfirmation(state)?.reason === 'last'
          if (isLast && agreed?.reason !== 'last') throw createUnconfirmedProblem()
          try {
            const result = await send()
            wrongPins.forget(state)
            return result
          } catch (error) {
            if (isRefusedPin(error)) wrongPins.record(state, error.extras.triesLeft)
            throw error
          }
        }),
    }
  }
}

const createUnconfirmedProblem = () =>
  new Problem(
    'pin-busy',
    'Cannot send the PIN: another attempt has left only the last one, which the user has to confirm; try again',
  )

const findLeast = (...counts: readonly (number | undefined)[]): number | undefined => {
  const known = counts.filter((count) => count !== undefined)
  return known.length > 0 ? Math.min(...known) : undefined
}
