/** An operation that needs a PIN: read the card, choose where the PIN comes from, then verify and sign in one transaction. */
import { Problem } from '@cardwire/protocol/problem'
import type { Context } from 'hono'
import type { ApiEnv } from '../http/route-types.ts'
import type { DescribedKey } from '../sandbox/card-modules/card-module.ts'
import type { AccessServices } from './access-watch.ts'
import type { ApiServices } from './api-services.ts'
import { createDialogWatch } from './dialog-watch.ts'
import type { FoundCard } from './find-card.ts'
import type { KeptPins } from './kept-pins.ts'
import { createPinAttempts } from './pin-attempts.ts'
import {
  getOrigin,
  type PinCall,
  type PinCardOperation,
  type PinOperation,
  toPinNeed,
  toRequireWanted,
} from './pin-call.ts'
import { createPinSources, type NewPinSource } from './pin-source.ts'
import { createReadCard } from './read-card.ts'
import { runAtPad } from './run-at-pad.ts'
import { runWithKeptPin } from './run-with-kept-pin.ts'
import { runWithSentPin } from './run-with-sent-pin.ts'

type PinServices = Pick<
  ApiServices,
  | 'readers'
  | 'cardAccess'
  | 'requestPin'
  | 'usePad'
  | 'confirmAttempt'
  | 'pinPauses'
  | 'hasGrant'
  | 'deviceEncryptionKey'
> &
  AccessServices & { readonly keptPins: KeptPins }

export function createPinOperations(services: PinServices) {
  const { cardAccess, usePad, pinPauses } = services
  const beginAttempt = createPinAttempts(services)
  const sources = createPinSources(services)
  const watch = createDialogWatch(services)
  const readCard = createReadCard(services)

  /** What is known before a PIN: costs no try. */
  const prepare = (
    context: Context<ApiEnv>,
    { module, reader, pinpad }: FoundCard,
    key: DescribedKey,
  ) =>
    readCard(context, reader, {
      kind: 'prepare',
      module: module.id,
      key: key.id,
      ...(pinpad && usePad && { asksForPad: true }),
    })

  /** Gets a PIN where the key wants one, then does the operation with it. */
  async function run<O extends PinCardOperation>(
    context: Context<ApiEnv>,
    operation: O,
    pinOperation: PinOperation,
  ) {
    const { card, key } = pinOperation
    context.env.keepOpen()
    const ended = watch(context, card)
    const requireWanted = toRequireWanted({ pinOperation, ended })
    try {
      if (!key.pin) return await cardAccess.run(card.reader, operation, { requireWanted })
      const caller = context.get('caller')
      const attempt = beginAttempt(pinOperation)
      const call = { caller, operation, pinOperation, pin: key.pin, attempt, ended }
      const need = toPinNeed(call)
      const source = sources.choose(need)
      if (source.kind !== 'kept') return await runWithNewPin(call, source)
      return (
        (await runWithKeptPin(services, call, source)) ??
        (await runWithNewPin(call, sources.chooseNew(need, source.user)))
      )
    } finally {
      ended.stop()
    }
  }

  const runWithNewPin = <O extends PinCardOperation>(call: PinCall<O>, source: NewPinSource) =>
    pauseAfterWrongPin(pinPauses, call, () =>
      source.kind === 'pad'
        ? runAtPad(services, call, source.usePad)
        : runWithSentPin({ ...services, mayKeep: sources.mayKeep }, call, source),
    )

  return { prepare, run }
}

/** What the card makes of the PIN decides whether the page has to wait. */
async function pauseAfterWrongPin<T>(
  pinPauses: ApiServices['pinPauses'],
  call: PinCall<PinCardOperation>,
  act: () => Promise<T>,
): Promise<T> {
  const origin = getOrigin(call)
  try {
    const result = await act()
    if (origin !== undefined) pinPauses.forget(origin)
    return result
  } catch (error) {
    const isWrong = error instanceof Problem && error.name === 'pin-wrong'
    // A signature that fails can be tried again at once, after a confirmation. A check has no other use than its answer.
    if (isWrong && call.operation.kind === 'verify' && origin !== undefined) {
      pinPauses.recordRefusal(origin)
    }
    throw error
  }
}
