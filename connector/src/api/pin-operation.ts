/** An operation that needs a PIN: read the card, ask the person, then verify and sign in one transaction. */
import { Problem } from '@cardwire/client/protocol'
import type { Context } from 'hono'
import type { ApiEnv, Caller } from '../http/route-types.ts'
import type { DescribedKey, DescribedPin } from '../sandbox/card-modules/card-module.ts'
import { type CardOperation, keptPinLimits } from '../system/ipc/card-messages.ts'
import type { PinAct, PinRequest, UsePad } from '../user/dialogs/pin-request.ts'
import type { AccessServices } from './access-watch.ts'
import type { ApiServices } from './api-services.ts'
import { createDialogWatch, type DialogWatch } from './dialog-watch.ts'
import type { FoundCard } from './find-card.ts'
import type { KeptPins, KeptPinUser } from './kept-pins.ts'
import { createPinSources, type NewPinSource, type PinNeed, type PinSource } from './pin-source.ts'

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

type PinServices = Pick<
  ApiServices,
  'readers' | 'cardAccess' | 'requestPin' | 'usePad' | 'hasGrant' | 'deviceEncryptionKey'
> &
  AccessServices & { readonly keptPins: KeptPins }

type PinCardOperation = Extract<CardOperation, { readonly kind: 'verify' | 'sign' }>

/** One call that needs a PIN. */
interface PinCall<O extends PinCardOperation> {
  readonly caller: Caller
  readonly operation: O
  readonly asked: PinOperation
  readonly pin: DescribedPin
  readonly ended: DialogWatch
}

/** A source whose PIN the API has in its memory, until it is sent. */
type SentPinSource = Exclude<NewPinSource, { kind: 'pad' }>

export function createPinOperations(services: PinServices) {
  const { cardAccess, requestPin, usePad, keptPins } = services
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
      const call = { caller: context.get('caller'), operation, asked, pin: key.pin, ended }
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
    { operation, asked }: PinCall<O>,
    { id, user }: Extract<PinSource, { kind: 'kept' }>,
  ) {
    const { reader } = asked.card
    try {
      const result = await cardAccess.run(reader, operation, { pin: { kind: 'kept', id } })
      if (keptPins.find(user) === id) keptPins.hold(id, user)
      return result
    } catch (error) {
      keptPins.end(reader)
      if (error instanceof Problem && error.name === 'pin-timeout') return undefined
      throw error
    }
  }

  const runWithNewPin = <O extends PinCardOperation>(call: PinCall<O>, source: NewPinSource) =>
    source.kind === 'pad' ? runByPad(source.usePad, call) : runWithSentPin(call, source)

  async function runWithSentPin<O extends PinCardOperation>(
    call: PinCall<O>,
    source: SentPinSource,
  ) {
    const { operation, asked, ended } = call
    const { keepFor } = source
    const { reader } = asked.card
    const pagePin = source.kind === 'page' ? source.pagePin : undefined
    const bytes = pagePin?.pin ?? (await askForPin(createPinRequest(call, keepFor)))
    try {
      ended.check()
      asked.check?.()
      // The grant may have ended meanwhile; one that has begun was not in the dialog.
      const keepAs = sources.mayKeep(keepFor) ? crypto.randomUUID() : undefined
      const pin = { kind: 'sent', bytes, keepAs } as const
      const result = await cardAccess.run(reader, operation, { pin, timeoutMs: toCardMs(asked) })
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
    if (request.signal.reason instanceof Problem) throw request.signal.reason
    throw new Problem(answer.problem, answer.reason)
  }

  /** The user types within the transaction, directly before each signature; cancelling ends the card's process. */
  const runByPad = <O extends PinCardOperation>(showPad: UsePad, call: PinCall<O>) => {
    const { operation, asked } = call
    const request = createPinRequest(call, undefined)
    const padTimeoutS = Math.min(request.timeoutMs / 1000, maxPadTimeoutS)
    const timeoutMs = toCardMs(asked) + (request.count ?? 1) * padTimeoutS * 1000
    return showPad(request, async (signal) => {
      asked.check?.()
      const typed = { ...operation, padTimeoutS }
      const result = await cardAccess.run(request.reader, typed, { signal, timeoutMs })
      // It may have ended while the user typed.
      asked.check?.()
      return result
    })
  }

  return { prepare, run }
}

const toPinNeed = ({ caller, asked }: PinCall<PinCardOperation>): PinNeed => {
  const { card, key, act, wishes, triesLeft, pad } = asked
  const isBulk = wishes.isBulk === true
  return { caller, card, key, act, pageText: wishes.pin, isBulk, triesLeft, pad }
}

/** Milliseconds that the card may take for all signatures. */
const toCardMs = ({ count = 1 }: PinOperation): number =>
  operationMs.first + operationMs.next * (count - 1)

function createPinRequest(
  { caller, asked, pin, ended: { signal } }: PinCall<PinCardOperation>,
  keepFor: KeptPinUser | undefined,
): PinRequest {
  const { card, key, act, wishes, triesLeft, count = 1 } = asked
  const wished = Math.max(Math.round(wishes.timeout ?? timeoutS.normal), timeoutS.min)
  return {
    origin: caller.kind === 'page' ? caller.origin : undefined,
    act,
    reader: card.reader,
    card: key.cardName ?? card.module.cardName,
    triesLeft,
    pin,
    count,
    ...(keepFor && { kept: keptPinLimits }),
    language: wishes.language ?? undefined,
    timeoutMs: Math.min(wished, timeoutS.max) * 1000,
    signal,
  }
}
