/** Where the PIN of an operation comes from: decided here, once for each operation, from the key, the page and its grants. */
import type { Caller } from '../http/route-types.ts'
import type { DescribedKey } from '../sandbox/card-modules/card-module.ts'
import type { PinAct, UsePad } from '../user/dialogs/pin-request.ts'
import type { ApiServices } from './api-services.ts'
import type { FoundCard } from './find-card.ts'
import type { KeptPins, KeptPinUser } from './kept-pins.ts'
import { createPagePins, type PagePin } from './page-pins.ts'

export type PinSource =
  /** The card process has kept it since an earlier signature for this user. */
  { readonly kind: 'kept'; readonly id: string; readonly user: KeptPinUser } | NewPinSource

/** `keepFor`: for whose further signatures the PIN is kept; undefined: the page did not ask for that, or has no grant for it. */
export type NewPinSource =
  /** The page sent it, and has the grant for that. */
  | {
      readonly kind: 'page'
      readonly pagePin: PagePin
      readonly keepFor: KeptPinUser | undefined
    }
  /** The user types it at the reader's own pad. */
  | { readonly kind: 'pad'; readonly usePad: UsePad }
  /** The user types it in our window. */
  | { readonly kind: 'window'; readonly keepFor: KeptPinUser | undefined }

/** What the source depends on. */
export interface PinNeed {
  readonly caller: Caller
  readonly card: FoundCard
  readonly key: DescribedKey
  readonly act: PinAct
  /** A PIN, as the page sends it. */
  readonly pageText: string | null | undefined
  /** Whether the page wants further signatures with the same PIN. */
  readonly isBulk: boolean
  readonly triesLeft: number | undefined
  /** Whether a PIN for this key can be typed at the reader's own pad. */
  readonly pad: boolean | undefined
}

export interface PinSources {
  /** Ends what is kept for the card where this is not for it. Throws a Problem when the PIN of the page cannot be used. */
  choose(need: PinNeed): PinSource
  /** The source in place of a kept PIN that has ended meanwhile. Throws as `choose` does. */
  chooseNew(need: PinNeed, keepFor: KeptPinUser | undefined): NewPinSource
  /** Whether the grant to keep a PIN is still there: asked again before a PIN is kept, because grants end at any time. */
  mayKeep(user: KeptPinUser | undefined): user is KeptPinUser
}

export function createPinSources(
  services: Pick<ApiServices, 'readers' | 'usePad' | 'hasGrant' | 'deviceEncryptionKey'> & {
    readonly keptPins: KeptPins
  },
): PinSources {
  const { usePad, hasGrant, keptPins } = services
  const takePagePin = createPagePins(services)

  const mayKeep = (user: KeptPinUser | undefined): user is KeptPinUser =>
    user !== undefined && hasGrant(user.caller.origin, 'bulk')

  const findKeepFor = ({ caller, card, key, act, isBulk }: PinNeed): KeptPinUser | undefined => {
    if (!isBulk || act !== 'sign' || caller.kind !== 'page') return undefined
    const user = { caller, card, key }
    return mayKeep(user) ? user : undefined
  }

  const chooseNew: PinSources['chooseNew'] = (need, keepFor) => {
    const { caller, card, key, pageText, triesLeft, pad } = need
    const pagePin = takePagePin({ caller, card, key, text: pageText, triesLeft })
    if (pagePin) return { kind: 'page', pagePin, keepFor }
    return pad && usePad ? { kind: 'pad', usePad } : { kind: 'window', keepFor }
  }

  return {
    mayKeep,
    chooseNew,
    choose(need) {
      const user = findKeepFor(need)
      const id = user && keptPins.find(user)
      if (user && id !== undefined) return { kind: 'kept', id, user }
      keptPins.end(need.card.reader)
      return chooseNew(need, user)
    },
  }
}
