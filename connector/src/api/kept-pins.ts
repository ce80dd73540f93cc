/** PINs that card processes keep for several signatures: for which page, card and key, and until when. No PIN is here. */

import type { PageCaller } from '../http/route-types.ts'
import type { DescribedKey } from '../sandbox/card-modules/card-module.ts'
import type { Clock } from '../system/clock.ts'
import { keptPinLimits } from '../system/ipc/card-messages.ts'
import { type AccessServices, createAccessWatch } from './access-watch.ts'
import type { ApiServices } from './api-services.ts'
import type { FoundCard } from './find-card.ts'

export interface KeptPinUser {
  readonly caller: PageCaller
  readonly card: FoundCard
  readonly key: DescribedKey
}

export interface KeptPins {
  /** The id of the PIN that is kept for this page, card and key. */
  find(user: KeptPinUser): string | undefined
  /** From now on the process keeps one under this id; another signature keeps it longer. */
  hold(id: string, user: KeptPinUser): void
  /** What is kept for the card in the reader of this name is forgotten. */
  end(reader: string): void
  /** What is kept for pages of this origin and cards of this module is forgotten. */
  endOf(origin: string, module: string): void
}

type KeptPinServices = Pick<ApiServices, 'readers' | 'cardAccess' | 'hasGrant' | 'onGrants'> &
  AccessServices

interface HeldPin extends KeptPinUser {
  readonly id: string
  /** Ends what watches it. */
  readonly stop: () => void
}

export function createKeptPins(services: KeptPinServices, timers: Pick<Clock, 'after'>): KeptPins {
  const { readers, cardAccess, hasGrant, onGrants } = services
  const access = createAccessWatch(services)
  /** By reader. */
  const held = new Map<string, HeldPin>()

  const end = (reader: string): void => {
    const found = held.get(reader)
    if (!found) return
    held.delete(reader)
    found.stop()
    cardAccess.forgetPin(reader)
  }
  const endWhere = (isOver: (pin: HeldPin) => boolean): void => {
    for (const [reader, pin] of [...held]) if (isOver(pin)) end(reader)
  }

  readers.subscribe(({ readers: present }) =>
    endWhere(
      ({ card }) =>
        !present.some(({ name, card: found }) => name === card.reader && found?.atr === card.atr),
    ),
  )
  onGrants(() => endWhere(({ caller }) => !hasGrant(caller.origin, 'bulk')))

  return {
    end,
    endOf: (origin, module) =>
      endWhere(({ caller, card }) => caller.origin === origin && card.module.id === module),
    find({ caller, card, key }) {
      const found = held.get(card.reader)
      const isOwn =
        found?.caller.origin === caller.origin &&
        access.findRevocation(found.caller) === undefined &&
        found.card.module.id === card.module.id &&
        found.key.id === key.id
      return isOwn ? found.id : undefined
    },
    hold(id, user) {
      const { reader } = user.card
      const before = held.get(reader)
      before?.stop()
      // Also when the signature has another consent of the origin: the PIN ends with the one that it was entered under.
      const { consentId } = before?.id === id ? before.caller : user.caller
      const caller = { ...user.caller, consentId }
      const cancel = timers.after(keptPinLimits.idleMs, () => end(reader))
      let unwatch = (): void => undefined
      const stop = () => {
        cancel()
        unwatch()
      }
      held.set(reader, { ...user, caller, id, stop })
      unwatch = access.onRevoked(caller, () => end(reader))
    },
  }
}
