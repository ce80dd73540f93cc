/** Which slots of a library a reader is: by the name that the library gives them. */
import { CardError } from '../card-modules/card-error.ts'
import { Pkcs11Error, toCardError } from '../pkcs11/codes.ts'
import { flags, textBytes } from '../pkcs11/layout.ts'
import type { Pkcs11, Slot, TokenFields } from '../pkcs11/pkcs11.ts'

export interface TokenSlot {
  readonly slot: Slot
  /** Of the slot: where a card is in it, mostly the name of the reader. */
  readonly description: string
  readonly token: TokenFields
}

/** A slot whose token, or itself, the library does not describe: it may have one that can be used. */
interface UnreadSlot {
  /** undefined: the library does not give it. */
  readonly description: string | undefined
  readonly failure: CardError
}

/** The slots of a library. */
export interface FoundSlots {
  /** Those with a token that can be used. */
  readonly slots: readonly TokenSlot[]
  readonly unread: readonly UnreadSlot[]
}

/** A token that is gone, or not initialized, is not there. */
export function readSlots(
  pkcs11: Pick<Pkcs11, 'listSlots' | 'readSlot' | 'readToken'>,
): FoundSlots {
  const slots: TokenSlot[] = []
  const unread: UnreadSlot[] = []
  for (const slot of pkcs11.listSlots()) {
    let description: string | undefined
    try {
      description = pkcs11.readSlot(slot).description
      const token = pkcs11.readToken(slot)
      if ((token.flags & flags.tokenInitialized) !== 0) slots.push({ slot, description, token })
    } catch (error) {
      const failure = error instanceof Pkcs11Error ? toCardError(error) : error
      if (!(failure instanceof CardError)) throw error
      if (failure.problem !== 'card-absent') unread.push({ description, failure })
    }
  }
  return { slots, unread }
}

/** For a list: what cannot be read is left out. Throws the first failure when nothing could be read. */
export function listTokenNames({ slots, unread: [first] }: FoundSlots): readonly string[] {
  if (slots.length === 0 && first) throw first.failure
  return nameTokens(slots)
}

/** Each token by its label; several with one label have their serial numbers beside it. */
function nameTokens(slots: readonly TokenSlot[]): readonly string[] {
  const toName = ({ token }: TokenSlot) => token.label || token.model || 'Token'
  return slots.map((slot) => {
    const name = toName(slot)
    const isUnique = slots.filter((other) => toName(other) === name).length === 1
    return isUnique ? name : `${name} (${slot.token.serialNumber || slot.slot})`
  })
}

/**
 * A card may have several, one for each of its PINs. Throws a CardError when there is none; the failure of the library when it does not
 * describe one of them, or one that may be it.
 */
export function chooseSlots(
  { slots, unread }: FoundSlots,
  { reader, isOwn }: { readonly reader: string; readonly isOwn: boolean },
): readonly TokenSlot[] {
  const wanted = isOwn ? reader : cut(reader)
  const names = isOwn ? nameTokens(slots) : slots.map(({ description }) => description)
  const found = slots.filter((_, at) => names[at] === wanted)
  // Names of tokens are in what was not read; slots have names of their own.
  const unreadHere = isOwn ? [] : unread.filter(({ description }) => description === wanted)
  if (found.length > 0 && unreadHere.length === 0) return found
  const [failed] = unreadHere.length > 0 ? unreadHere : unread
  if (failed) throw failed.failure
  const [only, ...others] = slots
  if (!only) {
    throw new CardError('card-absent', 'Cannot use the token: its library finds none')
  }
  // A library that calls its slots by other names has at least no choice.
  if (!isOwn && others.length === 0) return [only]
  throw isOwn
    ? new CardError('card-absent', 'Cannot use the token: it is no longer there')
    : new CardError(
        'card-unsupported',
        'Cannot use the card: its library does not say which of its slots is in this reader',
      )
}

/** As it fits into CK_SLOT_INFO. */
const cut = (name: string): string =>
  new TextDecoder().decode(Buffer.from(name).subarray(0, textBytes.description)).trim()
