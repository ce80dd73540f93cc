/** An operation that needs a PIN: read the card, ask the person, then verify and sign in one transaction. */
import { Problem } from '@cardwire/client/protocol'
import type { Context } from 'hono'
import type { CardKey, CardPin } from '../card-modules/card-module.ts'
import type { ApiEnv, Caller } from '../http/route-types.ts'
import type { CardOperation } from '../ipc/card-messages.ts'
import type { PinAct, PinRequest } from '../pin/pin-request.ts'
import type { AccessParts } from './access-watch.ts'
import { createDialogWatch } from './dialog-watch.ts'
import type { FoundCard } from './find-card.ts'
import type { Services } from './services.ts'

/** Of the body. */
export interface DialogWishes {
  readonly language?: string | null | undefined
  /** Seconds. */
  readonly timeout?: number | null | undefined
}

export interface PinOperation {
  readonly card: FoundCard
  readonly key: CardKey
  readonly act: PinAct
  readonly wishes: DialogWishes
  /** The certificate of the key, base64, as it was read before the person was asked; undefined: the card has none. */
  readonly certificate: string | undefined
  readonly triesLeft: number | undefined
  /** Whether the person types the PIN at the reader's own pad. */
  readonly pad: boolean | undefined
  /** How many signatures the PIN makes; absent: one. */
  readonly count?: number
}

/** Seconds that a person has for the dialog, waiting for other dialogs included. */
const timeoutS = { min: 10, max: 180, normal: 120 }

/** Milliseconds that a card may take for one signature, and for each that follows. */
const operationMs = { first: 15_000, next: 2000 } as const

/** Seconds that a pad waits for its person at most: for so long nobody else has the card. */
const maxPadTimeoutS = 30

type Parts = Pick<Services, 'readers' | 'cardAccess' | 'requestPin' | 'usePad'> & AccessParts

type PinCardOperation = Extract<CardOperation, { readonly kind: 'verify' | 'sign' }>

export function createPinOperations(services: Parts) {
  const { cardAccess, requestPin, usePad } = services
  const watch = createDialogWatch(services)

  /** What is known before a PIN: costs no try. */
  const prepare = async ({ module, reader, pinpad }: FoundCard, key: CardKey) =>
    cardAccess.run(reader, {
      kind: 'prepare',
      module: module.id,
      key: key.id,
      ...(pinpad && { asksForPad: true }),
    })

  /** Asks the person where the key wants a PIN, then does the operation with it. */
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
      const request = createPinRequest(context.get('caller'), asked, key.pin, ended.signal)
      const { count = 1 } = asked
      const timeoutMs = operationMs.first + operationMs.next * (count - 1)
      if (asked.pad) return await runByPad(operation, request, timeoutMs)
      const pin = await askForPin(request)
      try {
        ended.check()
        return await cardAccess.run(card.reader, operation, { pin, timeoutMs })
      } finally {
        pin.fill(0)
      }
    } finally {
      ended.stop()
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
    operation: O,
    request: PinRequest,
    cardMs: number,
  ) => {
    const padTimeoutS = Math.min(request.timeoutMs / 1000, maxPadTimeoutS)
    const timeoutMs = cardMs + (request.count ?? 1) * padTimeoutS * 1000
    return usePad(request, (signal) =>
      cardAccess.run(request.reader, { ...operation, padTimeoutS }, { signal, timeoutMs }),
    )
  }

  return { prepare, run }
}

function createPinRequest(
  caller: Caller,
  { card, act, wishes, triesLeft, count = 1 }: PinOperation,
  pin: CardPin,
  signal: AbortSignal,
): PinRequest {
  const wished = Math.max(Math.round(wishes.timeout ?? timeoutS.normal), timeoutS.min)
  return {
    origin: caller.kind === 'page' ? caller.origin : undefined,
    act,
    reader: card.reader,
    card: card.module.cardName,
    triesLeft,
    pin,
    count,
    language: wishes.language ?? undefined,
    timeoutMs: Math.min(wished, timeoutS.max) * 1000,
    signal,
  }
}
