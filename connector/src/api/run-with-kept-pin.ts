/** An operation with the PIN that the card process keeps since an earlier signature. */
import { Problem } from '@cardwire/protocol/problem'
import type { ApiServices } from './api-services.ts'
import type { KeptPins } from './kept-pins.ts'
import { type PinCall, type PinCardOperation, toRequireWanted } from './pin-call.ts'
import type { PinSource } from './pin-source.ts'

interface KeptPinServices extends Pick<ApiServices, 'cardAccess'> {
  readonly keptPins: KeptPins
}

/** undefined: the PIN is not kept any more. */
export async function runWithKeptPin<O extends PinCardOperation>(
  { cardAccess, keptPins }: KeptPinServices,
  call: PinCall<O>,
  { id, user }: Extract<PinSource, { kind: 'kept' }>,
) {
  const { operation, pinOperation, attempt } = call
  const { reader } = pinOperation.card
  // Another program has made attempts meanwhile.
  if (attempt.findConfirmation()) return keptPins.end(reader)
  try {
    const pin = { kind: 'kept', id } as const
    const options = { pin, requireWanted: toRequireWanted(call) }
    const result = await attempt.make(() => cardAccess.run(reader, operation, options))
    if (keptPins.find(user) === id) keptPins.hold(id, user)
    return result
  } catch (error) {
    keptPins.end(reader)
    if (error instanceof Problem && error.name === 'pin-timeout') return undefined
    throw error
  }
}
