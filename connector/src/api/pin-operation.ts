/** An operation that needs a PIN: read the card, ask the person, then verify and sign in one transaction. */
import { Problem } from '@cardwire/client/protocol'
import type { Context } from 'hono'
import type { CardKey } from '../card-modules/card-module.ts'
import type { ApiEnv } from '../http/route-types.ts'
import type { CardOperation } from '../ipc/card-messages.ts'
import type { PinAct } from '../pin/pin-request.ts'
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
  /** How many signatures the PIN makes; absent: one. */
  readonly count?: number
}

/** Seconds that a person has for the dialog, waiting for other dialogs included. */
const timeoutS = { min: 10, max: 180, normal: 120 }

/** Milliseconds that a card may take for one signature, and for each that follows. */
const operationMs = { first: 15_000, next: 2000 } as const

type Parts = Pick<Services, 'readers' | 'cardAccess' | 'requestPin'> & AccessParts

export function createPinOperations(services: Parts) {
  const { cardAccess, requestPin } = services
  const watch = createDialogWatch(services)

  /** What is known before a PIN: costs no try. */
  const prepare = async ({ module, reader }: FoundCard, key: CardKey) =>
    cardAccess.run(reader, { kind: 'prepare', module: module.id, key: key.id })

  /** Asks the person where the key wants a PIN, then does the operation with it. */
  async function run<O extends CardOperation>(
    context: Context<ApiEnv>,
    operation: O,
    asked: PinOperation,
  ) {
    const { card, key } = asked
    if (!key.pin) return cardAccess.run(card.reader, operation)
    context.env.keepOpen()
    const ended = watch(context, card)
    try {
      const pin = await askForPin(context, asked, ended.signal)
      try {
        ended.check()
        const timeoutMs = operationMs.first + operationMs.next * ((asked.count ?? 1) - 1)
        return await cardAccess.run(card.reader, operation, { pin, timeoutMs })
      } finally {
        pin.fill(0)
      }
    } finally {
      ended.stop()
    }
  }

  async function askForPin(
    context: Context<ApiEnv>,
    { card, key, act, wishes, triesLeft, count = 1 }: PinOperation,
    signal: AbortSignal,
  ): Promise<Uint8Array> {
    const { pin } = key
    if (!pin) throw new Error(`Cannot ask for a PIN: key "${key.id}" has none`)
    const caller = context.get('caller')
    const seconds = Math.min(
      Math.max(wishes.timeout ?? timeoutS.normal, timeoutS.min),
      timeoutS.max,
    )
    const answer = await requestPin({
      origin: caller.kind === 'page' ? caller.origin : undefined,
      act,
      reader: card.reader,
      card: card.module.cardName,
      triesLeft,
      pin,
      count,
      language: wishes.language ?? undefined,
      timeoutMs: seconds * 1000,
      signal,
    })
    if (answer instanceof Uint8Array) return answer
    if (signal.reason instanceof Problem) throw signal.reason
    throw new Problem(answer.problem, answer.reason)
  }

  return { prepare, run }
}
