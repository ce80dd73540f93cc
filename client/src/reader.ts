/** Readers and the cards in them, as pages see them. */

/** A card reader, and the card in it. */
export interface Reader {
  /** 16 hex digits, which identify the reader while it is connected. */
  readonly id: string
  /** The name that the vendor chose, such as `ACS ACR39U`. */
  readonly name: string
  /** Whether the reader has a keypad, where users enter the PIN. */
  readonly pinpad: boolean
  /** Absent if the reader is empty. */
  readonly card?: InsertedCard | undefined
}

/** The card in a reader. Pass the reader to `client.card` to use it. */
export interface InsertedCard {
  /** The answer to reset, in upper-case hex. Empty for a token that a PKCS #11 library serves. */
  readonly atr: string
  /** The kinds of cards with this ATR, such as `Belgian eID`. Empty if the ATR isn't known. */
  readonly description: readonly string[]
  /** The ID of the module that handles the card, as in `client.module(id)`. Absent if the card isn't supported. */
  readonly module?: string | undefined
  /** The same ID as a list, for pages that come from the legacy library. Empty if the card isn't supported. */
  readonly modules: readonly string[]
}

/** The computer's smart card service (PC/SC). Without it, there are no readers. */
export interface CardService {
  /** `down`: the service isn't running. */
  readonly state: 'up' | 'down'
  /** Why the service is down, as a sentence in English. Absent while it is up. */
  readonly reason?: string | undefined
}
