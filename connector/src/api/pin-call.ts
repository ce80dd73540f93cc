/** One call that needs a PIN: what it asks for, and what that means for dialogs and cards. */
import type { Caller } from '../http/route-types.ts'
import type { DescribedKey, DescribedPin } from '../sandbox/card-modules/card-module.ts'
import { type CardOperation, keptPinLimits } from '../system/ipc/card-messages.ts'
import type { AttemptConfirmation, PinAct, PinRequest } from '../user/dialogs/pin-request.ts'
import type { DialogWatch } from './dialog-watch.ts'
import type { FoundCard } from './find-card.ts'
import type { KeptPinUser } from './kept-pins.ts'
import type { PinNeed } from './pin-source.ts'

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
  /** The certificate of the key, base64, as it was read before the user was asked; undefined: the card has none. */
  readonly certificate: string | undefined
  readonly triesLeft: number | undefined
  /** Whether the user types the PIN at the reader's own pad. */
  readonly pad: boolean | undefined
  /** How many signatures the PIN makes; absent: one. */
  readonly count?: number
  /** Throws when the page may not have this any more: called again before a PIN is sent, and after one was typed at a pad. */
  readonly check?: (() => void) | undefined
}

/** A PIN of a card, and what the card has just reported about it. */
export type PinState = Pick<PinOperation, 'card' | 'key' | 'certificate' | 'triesLeft'>

export interface PinAttempt {
  /** What the user has to agree to before; undefined: nothing. Callers get that agreement before `make`. */
  findConfirmation(): AttemptConfirmation | undefined
  /** Sends the PIN, when no other attempt runs in this reader. Throws a Problem where the user has not agreed to the last one. */
  make<T>(send: () => Promise<T>): Promise<T>
}

/** Seconds that a user has for the dialog, waiting for other dialogs included. */
const timeoutS = { min: 10, max: 180, normal: 120 }

/** Milliseconds that a card may take for one signature, and for each that follows. */
const operationMs = { first: 15_000, next: 2000 } as const

export type PinCardOperation = Extract<CardOperation, { readonly kind: 'verify' | 'sign' }>

/** One call that needs a PIN. */
export interface PinCall<O extends PinCardOperation> {
  readonly caller: Caller
  readonly operation: O
  readonly pinOperation: PinOperation
  readonly pin: DescribedPin
  readonly attempt: PinAttempt
  readonly ended: DialogWatch
}

export const getOrigin = ({ caller }: PinCall<PinCardOperation>): string | undefined =>
  caller.kind === 'page' ? caller.origin : undefined

export const toPinNeed = ({ caller, pinOperation }: PinCall<PinCardOperation>): PinNeed => {
  const { card, key, act, wishes, triesLeft, pad } = pinOperation
  const isBulk = wishes.isBulk === true
  return { caller, card, key, act, pageText: wishes.pin, isBulk, triesLeft, pad }
}

/** For the moment when the turn of the operation has come: what the user, the page or the administrator has ended meanwhile is not done. */
export const toRequireWanted =
  ({ pinOperation, ended }: Pick<PinCall<PinCardOperation>, 'pinOperation' | 'ended'>) =>
  (): void => {
    ended.check()
    pinOperation.check?.()
  }

/** Milliseconds that the card may take for all signatures. */
export const toCardMs = ({ count = 1 }: PinOperation): number =>
  operationMs.first + operationMs.next * (count - 1)

export function createPinRequest(
  call: PinCall<PinCardOperation>,
  keepFor: KeptPinUser | undefined,
): PinRequest {
  const { pinOperation, pin, attempt, ended } = call
  const { card, key, act, wishes, triesLeft, count = 1 } = pinOperation
  const wished = Math.max(Math.round(wishes.timeout ?? timeoutS.normal), timeoutS.min)
  return {
    origin: getOrigin(call),
    act,
    reader: card.reader,
    card: key.cardName ?? card.module.cardName,
    module: key.cardName === undefined ? card.module.id : undefined,
    triesLeft,
    pin,
    findConfirmation: attempt.findConfirmation,
    count,
    ...(keepFor && { kept: keptPinLimits }),
    language: wishes.language ?? undefined,
    timeoutMs: Math.min(wished, timeoutS.max) * 1000,
    signal: ended.signal,
  }
}
