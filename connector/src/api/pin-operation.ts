/** An operation that needs a PIN: read the card, ask the person, then verify and sign in one transaction. */
import { Problem } from '@cardwire/client/protocol'
import type { Context } from 'hono'
import type { ApiEnv } from '../http/route-types.ts'
import type { DescribedKey } from '../sandbox/card-modules/card-module.ts'
import type { PinRefusal, PinRequest, UsePad } from '../user/dialogs/pin-request.ts'
import type { AccessServices } from './access-watch.ts'
import type { ApiServices } from './api-services.ts'
import { createDialogWatch } from './dialog-watch.ts'
import type { FoundCard } from './find-card.ts'
import type { KeptPins } from './kept-pins.ts'
import { createPinAttempts } from './pin-attempts.ts'
import {
  createPinRequest,
  getOrigin,
  type PinCall,
  type PinCardOperation,
  type PinOperation,
  toCardMs,
  toPinNeed,
} from './pin-call.ts'
import { createPinSources, type NewPinSource, type PinSource } from './pin-source.ts'

/** Seconds that a pad waits for its person at most: for so long nobody else has the card. */
const maxPadTimeoutS = 30

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

/** A source whose PIN the API has in its memory, until it is sent. */
type SentPinSource = Exclude<NewPinSource, { kind: 'pad' }>

export function createPinOperations(services: PinServices) {
  const { cardAccess, requestPin, usePad, confirmAttempt, pinPauses, keptPins } = services
  const beginAttempt = createPinAttempts(services)
  const sources = createPinSources(services)
  const watch = createDialogWatch(services)

  /** What is known before a PIN: costs no try. */
  const prepare = async ({ module, reader, pinpad }: FoundCard, key: DescribedKey) =>
    cardAccess.run(reader, {
      kind: 'prepare',
      module: module.id,
      key: key.id,
      ...(pinpad && usePad && { asksForPad: true }),
    })

  /** Gets a PIN where the key wants one, then does the operation with it. */
  async function run<O extends PinCardOperation>(
    context: Context<ApiEnv>,
    operation: O,
    asked: PinOperation,
  ) {
    const { card, key } = asked
    if (!key.pin) return cardAccess.run(card.reader, operation)
    context.env.keepOpen()
    const ended = watch(context, card)
    try {
      const caller = context.get('caller')
      const attempt = beginAttempt(asked)
      const call = { caller, operation, asked, pin: key.pin, attempt, ended }
      const need = toPinNeed(call)
      const source = sources.choose(need)
      if (source.kind !== 'kept') return await runWithNewPin(call, source)
      return (
        (await runWithKeptPin(call, source)) ??
        (await runWithNewPin(call, sources.chooseNew(need, source.user)))
      )
    } finally {
      ended.stop()
    }
  }

  /** undefined: the PIN is not kept any more. */
  async function runWithKeptPin<O extends PinCardOperation>(
    { operation, asked, attempt }: PinCall<O>,
    { id, user }: Extract<PinSource, { kind: 'kept' }>,
  ) {
    const { reader } = asked.card
    // Another program has made attempts meanwhile.
    if (attempt.findConfirmation()) return keptPins.end(reader)
    try {
      const pin = { kind: 'kept', id } as const
      const result = await attempt.make(() => cardAccess.run(reader, operation, { pin }))
      if (keptPins.find(user) === id) keptPins.hold(id, user)
      return result
    } catch (error) {
      keptPins.end(reader)
      if (error instanceof Problem && error.name === 'pin-timeout') return undefined
      throw error
    }
  }

  /** What the card makes of the PIN decides whether the page has to wait. */
  async function runWithNewPin<O extends PinCardOperation>(call: PinCall<O>, source: NewPinSource) {
    const origin = getOrigin(call)
    try {
      const result = await (source.kind === 'pad'
        ? runByPad(source.usePad, call)
        : runWithSentPin(call, source))
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

  async function runWithSentPin<O extends PinCardOperation>(
    call: PinCall<O>,
    source: SentPinSource,
  ) {
    const { operation, asked, attempt, ended } = call
    const { keepFor } = source
    const { reader } = asked.card
    const pagePin = source.kind === 'page' ? source.pagePin : undefined
    const request = createPinRequest(call, keepFor)
    const bytes = pagePin?.pin ?? (await askForPin(request))
    try {
      if (pagePin) await confirmLastAttempt(request)
      ended.check()
      asked.check?.()
      // The grant may have ended meanwhile; one that has begun was not in the dialog.
      const keepAs = sources.mayKeep(keepFor) ? crypto.randomUUID() : undefined
      const pin = { kind: 'sent', bytes, keepAs } as const
      const options = { pin, timeoutMs: toCardMs(asked) }
      const result = await attempt.make(() => cardAccess.run(reader, operation, options))
      pagePin?.settle()
      // It may have ended while the card signed, when nothing watched what was not held yet.
      const isHeld = keepAs !== undefined && !ended.signal.aborted && sources.mayKeep(keepFor)
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

  async function askForPin(request: PinRequest): Promise<Uint8Array> {
    const answer = await requestPin(request)
    if (answer instanceof Uint8Array) return answer
    throw toProblem(request, answer)
  }

  /** The user sees no other window for a PIN of the page. */
  async function confirmLastAttempt(request: PinRequest): Promise<void> {
    const confirmation = request.findConfirmation?.()
    if (confirmation?.reason !== 'last') return
    const refusal = await confirmAttempt(request, confirmation)
    if (refusal) throw toProblem(request, refusal)
  }

  /** The user types within the transaction, directly before each signature; cancelling ends the card's process. */
  const runByPad = <O extends PinCardOperation>(showPad: UsePad, call: PinCall<O>) => {
    const { operation, asked, attempt } = call
    const request = createPinRequest(call, undefined)
    const padTimeoutS = Math.min(request.timeoutMs / 1000, maxPadTimeoutS)
    const timeoutMs = toCardMs(asked) + (request.count ?? 1) * padTimeoutS * 1000
    return showPad(request, async (signal) => {
      asked.check?.()
      const typed = { ...operation, padTimeoutS }
      const options = { signal, timeoutMs }
      const result = await attempt.make(() => cardAccess.run(request.reader, typed, options))
      // It may have ended while the user typed.
      asked.check?.()
      return result
    })
  }

  return { prepare, run }
}

const toProblem = (
  { signal }: PinRequest,
  { problem, reason, retryAfterS }: PinRefusal,
): Problem =>
  signal.reason instanceof Problem
    ? signal.reason
    : new Problem(problem, reason, retryAfterS === undefined ? {} : { retryAfterS })
