/** Which slots of a library a reader is: by the name that the library gives them. */
import { CardError } from '../card-modules/card-error.ts'
import { Pkcs11Error } from '../pkcs11/codes.ts'
import { flags, textBytes } from '../pkcs11/layout.ts'
import type { Pkcs11, Slot, TokenFields } from '../pkcs11/pkcs11.ts'

export interface TokenSlot {
  readonly slot: Slot
  /** Of the slot: where a card is in it, mostly the name of the reader. */
  readonly description: string
  readonly token: TokenFields
}

/** The slots with a token that can be used. One that cannot be read is left out. */
export const listTokenSlots = (pkcs11: Pkcs11): readonly TokenSlot[] =>
  pkcs11.listSlots().flatMap((slot) => {
    try {
      const { description } = pkcs11.readSlot(slot)
      const token = pkcs11.readToken(slot)
      return (token.flags & flags.tokenInitialized) === 0 ? [] : [{ slot, description, token }]
    } catch (error) {
      if (error instanceof Pkcs11Error) return []
      throw error
    }
  })

/** Each token by its label; several with one label have their serial numbers beside it. */
export function nameTokens(slots: readonly TokenSlot[]): readonly string[] {
  const toName = ({ token }: TokenSlot) => token.label || token.model || 'Token'
  return slots.map((slot) => {
    const name = toName(slot)
    const isUnique = slots.filter((other) => toName(other) === name).length === 1
    return isUnique ? name : `${name} (${slot.token.serialNumber || slot.slot})`
  })
}

/** A card may have several, one for each of its PINs. Throws a CardError when there is none. */
export function chooseSlots(
  slots: readonly TokenSlot[],
  { reader, isOwn }: { readonly reader: string; readonly isOwn: boolean },
): readonly TokenSlot[] {
  if (slots.length === 0) {
    throw new CardError('card-absent', 'Cannot use the token: its library finds none')
  }
  const names = isOwn ? nameTokens(slots) : slots.map(({ description }) => description)
  const wanted = isOwn ? reader : cut(reader)
  const found = slots.filter((_, at) => names[at] === wanted)
  if (found.length > 0) return found
  const [only, ...others] = slots
  // A library that calls its slots by other names has at least no choice.
  if (!isOwn && only && others.length === 0) return [only]
  throw isOwn
    ? new CardError('card-absent', 'Cannot use the token: it is not there any more')
    : new CardError(
        'card-unsupported',
        'Cannot use the card: its library does not say which of its slots is in this reader',
      )
}

/** As it fits into CK_SLOT_INFO. */
const cut = (name: string): string =>
  new TextDecoder().decode(Buffer.from(name).subarray(0, textBytes.description)).trim()
