/** An operation with a PIN that goes from our memory to the card: the page sent it, or the user types it in our window. */
import { Problem } from '@cardwire/protocol/problem'
import type { PinRefusal, PinRequest } from '../user/dialogs/pin-request.ts'
import type { ApiServices } from './api-services.ts'
import type { KeptPins } from './kept-pins.ts'
import {
  createPinRequest,
  type PinCall,
  type PinCardOperation,
  toCardMs,
  toRequireWanted,
} from './pin-call.ts'
import type { NewPinSource, PinSources } from './pin-source.ts'

/** A source whose PIN the API has in its memory, until it is sent. */
type SentPinSource = Exclude<NewPinSource, { kind: 'pad' }>

interface SentPinServices
  extends Pick<ApiServices, 'cardAccess' | 'requestPin' | 'confirmAttempt'>,
    Pick<PinSources, 'mayKeep'> {
  readonly keptPins: KeptPins
}

export async function runWithSentPin<O extends PinCardOperation>(
  services: SentPinServices,
  call: PinCall<O>,
  source: SentPinSource,
) {
  const { cardAccess, keptPins, mayKeep } = services
  const { operation, pinOperation, attempt, ended } = call
  const { keepFor } = source
  const { reader } = pinOperation.card
  const pagePin = source.kind === 'page' ? source.pagePin : undefined
  const request = createPinRequest(call, keepFor)
  const bytes = pagePin?.pin ?? (await askForPin(services, request))
  try {
    if (pagePin) await confirmLastAttempt(services, request)
    const requireWanted = toRequireWanted(call)
    requireWanted()
    // The grant may have ended meanwhile; one that has begun was not in the dialog.
    const keepAs = mayKeep(keepFor) ? crypto.randomUUID() : undefined
    const pin = { kind: 'sent', bytes, keepAs } as const
    const options = { pin, timeoutMs: toCardMs(pinOperation), requireWanted }
    const result = await attempt.make(() => cardAccess.run(reader, operation, options))
    pagePin?.settle()
    // It may have ended while the card signed, when nothing watched what was not held yet.
    const isHeld = keepAs !== undefined && !ended.signal.aborted && mayKeep(keepFor)
    if (isHeld) keptPins.hold(keepAs, keepFor)
    else cardAccess.forgetPin(reader)
    return result
  } catch (error) {
    pagePin?.settle(error)
    throw error
  } finally {
    bytes.fill(0)
  }
}

async function askForPin(
  { requestPin }: Pick<SentPinServices, 'requestPin'>,
  request: PinRequest,
): Promise<Uint8Array> {
  const answer = await requestPin(request)
  if (answer instanceof Uint8Array) return answer
  throw toProblem(request, answer)
}

/** The user sees no other window for a PIN of the page. */
async function confirmLastAttempt(
  { confirmAttempt }: Pick<SentPinServices, 'confirmAttempt'>,
  request: PinRequest,
): Promise<void> {
  const confirmation = request.findConfirmation?.()
  if (confirmation?.reason !== 'last') return
  const refusal = await confirmAttempt(request, confirmation)
  if (refusal) throw toProblem(request, refusal)
}

const toProblem = (
  { signal }: PinRequest,
  { problem, reason, retryAfterS }: PinRefusal,
): Problem =>
  signal.reason instanceof Problem
    ? signal.reason
    : new Problem(problem, reason, retryAfterS === undefined ? {} : { retryAfterS })
