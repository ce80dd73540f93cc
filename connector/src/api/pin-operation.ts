/** An operation that needs a PIN: read the card, ask the person, then verify and sign in one transaction. */
import { Problem } from '@cardwire/client/protocol'
import type { Context } from 'hono'
import type { ApiEnv, Caller } from '../http/route-types.ts'
import type { DescribedKey, DescribedPin } from '../sandbox/card-modules/card-module.ts'
import { type CardOperation, keptPinLimits } from '../system/ipc/card-messages.ts'
import type { PinAct, PinRequest, UsePad } from '../user/dialogs/pin-request.ts'
import type { AccessParts } from './access-watch.ts'
import type { ApiServices } from './api-services.ts'
import { createDialogWatch, type DialogWatch } from './dialog-watch.ts'
import type { FoundCard } from './find-card.ts'
import type { KeptPins, KeptPinUser } from './kept-pins.ts'
import { createPagePins } from './page-pins.ts'

/** Of the body. */
export interface DialogWishes {
  readonly language?: string | null | undefined
  /** Seconds. */
  readonly timeout?: number | null | undefined
  /** A PIN, as the page sends it. */
  readonly pin?: string | null | undefined
  /** Whether the page wants further signatures with the same PIN. */
  readonly isBulk?: boolean
}

export interface PinOperation {
  readonly card: FoundCard
  readonly key: DescribedKey
  readonly act: PinAct
  readonly wishes: DialogWishes
  /** The certificate of the key, base64, as it was read before the person was asked; undefined: the card has none. */
  readonly certificate: string | undefined
  readonly triesLeft: number | undefined
  /** Whether the person types the PIN at the reader's own pad. */
  readonly pad: boolean | undefined
  /** How many signatures the PIN makes; absent: one. */
  readonly count?: number
  /** Throws when the page may not have this any more: called again before a PIN is sent, and after one was typed at a pad. */
  readonly check?: (() => void) | undefined
}

/** Seconds that a person has for the dialog, waiting for other dialogs included. */
const timeoutS = { min: 10, max: 180, normal: 120 }

/** Milliseconds that a card may take for one signature, and for each that follows. */
const operationMs = { first: 15_000, next: 2000 } as const

/** Seconds that a pad waits for its person at most: for so long nobody else has the card. */
const maxPadTimeoutS = 30

type Parts = Pick<
  ApiServices,
  'readers' | 'cardAccess' | 'requestPin' | 'usePad' | 'hasGrant' | 'pageKey'
> &
  AccessParts & { readonly keptPins: KeptPins }

type PinCardOperation = Extract<CardOperation, { readonly kind: 'verify' | 'sign' }>

/** One call that needs a PIN. */
interface PinCall<O extends PinCardOperation> {
  readonly caller: Caller
  readonly operation: O
  readonly asked: PinOperation
  readonly pin: DescribedPin
  readonly ended: DialogWatch
  /** undefined: the page does not want several signatures with one PIN, or may not have them. */
  readonly user: KeptPinUser | undefined
}

export function createPinOperations(services: Parts) {
  const { cardAccess, requestPin, usePad, hasGrant, keptPins } = services
  const takePagePin = createPagePins(services)
  const watch = createDialogWatch(services)

  /** What is known before a PIN: costs no try. */
  const prepare = async ({ module, reader, pinpad }: FoundCard, key: DescribedKey) =>
    cardAccess.run(reader, {
      kind: 'prepare',
      module: module.id,
      key: key.id,
      ...(pinpad && usePad && { asksForPad: true }),
    })

  /** Asks the person where the key wants a PIN and none is kept, then does the operation with it. */
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
      const user = findBulkUser(caller, asked)
      const call = { caller, operation, asked, pin: key.pin, ended, user }
      return (await runWithKeptPin(call)) ?? (await runWithPin(call))
    } finally {
      ended.stop()
    }
  }

  function findBulkUser(
    caller: Caller,
    { card, key, act, wishes }: PinOperation,
  ): KeptPinUser | undefined {
    if (!wishes.isBulk || act !== 'sign' || caller.kind !== 'page') return undefined
    return hasGrant(caller.origin, 'bulk') ? { caller, card, key } : undefined
  }

  /** undefined: no PIN is kept for this. Whatever else wants a PIN of the card ends what is kept. */
  async function runWithKeptPin<O extends PinCardOperation>({
    operation,
    asked,
    user,
  }: PinCall<O>) {
    const { reader } = asked.card
    const id = user && keptPins.find(user)
    if (!user || id === undefined) {
      keptPins.end(reader)
      return undefined
    }
    try {
      const kept = { id, use: 'again' } as const
      const result = await cardAccess.run(reader, operation, { kept })
      if (keptPins.find(user) === id) keptPins.hold(id, user)
      return result
    } catch (error) {
      keptPins.end(reader)
      if (error instanceof Problem && error.name === 'pin-timeout') return undefined
      throw error
    }
  }

  async function runWithPin<O extends PinCardOperation>(call: PinCall<O>) {
    const { caller, operation, asked, ended, user } = call
    const { card, key, triesLeft, wishes } = asked
    const timeoutMs = operationMs.first + operationMs.next * ((asked.count ?? 1) - 1)
    const pagePin = takePagePin({ caller, card, key, text: wishes.pin, triesLeft })
    const request = createPinRequest(call)
    if (!pagePin && asked.pad && usePad) return runByPad(usePad, call, request, timeoutMs)
    const pin = pagePin?.pin ?? (await askForPin(request))
    try {
      ended.check()
      asked.check?.()
      // The grant may have ended meanwhile; one that has begun was not in the dialog.
      const isKept = user !== undefined && findBulkUser(caller, asked) !== undefined
      const id = crypto.randomUUID()
      const options = { pin, timeoutMs, ...(isKept && { kept: { id, use: 'begin' } as const }) }
      const result = await cardAccess.run(card.reader, operation, options)
      pagePin?.settle()
      // It may have ended while the card signed, when nothing watched what was not held yet.
      const holder = isKept && !ended.signal.aborted ? findBulkUser(caller, asked) : undefined
      if (holder) keptPins.hold(id, holder)
      else cardAccess.forgetPin(card.reader)
      return result
    } catch (error) {
      pagePin?.settle(error)
      throw error
    } finally {
      pin.fill(0)
    }
  }

  async function askForPin(request: PinRequest): Promise<Uint8Array> {
    const answer = await requestPin(request)
    if (answer instanceof Uint8Array) return answer
    if (request.signal.reason instanceof Problem) throw request.signal.reason
    throw new Problem(answer.problem, answer.reason)
  }

  /** The person types within the transaction, directly before each signature; whoever gives up ends the card's process. */
  const runByPad = <O extends PinCardOperation>(
    showPad: UsePad,
    { operation, asked }: PinCall<O>,
    request: PinRequest,
    cardMs: number,
  ) => {
    const padTimeoutS = Math.min(request.timeoutMs / 1000, maxPadTimeoutS)
    const timeoutMs = cardMs + (request.count ?? 1) * padTimeoutS * 1000
    return showPad(request, async (signal) => {
      asked.check?.()
      const typed = { ...operation, padTimeoutS }
      const result = await cardAccess.run(request.reader, typed, { signal, timeoutMs })
      // It may have ended while the person typed.
      asked.check?.()
      return result
    })
  }

  return { prepare, run }
}

function createPinRequest({
  caller,
  asked: { card, key, act, wishes, triesLeft, pad, count = 1 },
  pin,
  ended: { signal },
  user,
}: PinCall<PinCardOperation>): PinRequest {
  const wished = Math.max(Math.round(wishes.timeout ?? timeoutS.normal), timeoutS.min)
  return {
    origin: caller.kind === 'page' ? caller.origin : undefined,
    act,
    reader: card.reader,
    card: key.cardName ?? card.module.cardName,
    triesLeft,
    pin,
    count,
    ...(user && !pad && { kept: keptPinLimits }),
    language: wishes.language ?? undefined,
    timeoutMs: Math.min(wished, timeoutS.max) * 1000,
    signal,
  }
}
