/** Cards that do not tell how many tries a PIN has left: one that has answered that it is blocked is not tried again until it is inserted anew. */
import { Problem } from '@cardwire/protocol/problem'
import type { CardOperation, CardResult } from '../../system/ipc/card-messages.ts'
import type { CardPin } from '../card-modules/card-module.ts'
import { findCardModule } from '../card-modules/card-modules.ts'
import type { CardAccess } from './card-access.ts'
import type { Readers } from './readers.ts'

/** A PIN of a card, which is recognized by the certificate of a key. */
interface SilentPin {
  readonly pin: CardPin
  readonly key: string
  /** Empty: the card has none; undefined: it has not been read yet. */
  readonly certificate: string | undefined
}

/** The same access. A PIN that is known to be blocked is a problem before the user is asked for it. */
export function rememberBlockedPins(
  cards: CardAccess,
  readers: Pick<Readers, 'subscribe'>,
): CardAccess {
  /** By reader. */
  const blocked = new Map<string, SilentPin>()
  readers.subscribe((snapshot) => {
    for (const reader of blocked.keys()) {
      const found = snapshot.readers.find(({ name }) => name === reader)
      if (!found?.card) blocked.delete(reader)
    }
  })
  /** Other keys of the card have the same PIN. */
  const requireUnblocked = (reader: string, { pin, key, certificate }: SilentPin) => {
    const known = blocked.get(reader)
    if (known?.pin !== pin) return
    if (known.key === key && known.certificate !== certificate) {
      // Another card, which came faster than the reader could tell.
      blocked.delete(reader)
      return
    }
    const message = 'Cannot use the PIN: the card has said that it is blocked'
    throw new Problem('pin-blocked', message, { triesLeft: 0 })
  }

  return {
    ...cards,
    async run(reader, operation, options) {
      const pin = findSilentPin(operation)
      if (!pin) return cards.run(reader, operation, options)
      if (pin.certificate !== undefined) requireUnblocked(reader, pin)
      try {
        const result = await cards.run(reader, operation, options)
        if (pin.certificate === undefined) {
          requireUnblocked(reader, { ...pin, certificate: readPrepared(result) })
        }
        return result
      } catch (error) {
        const isBlocked = error instanceof Problem && error.name === 'pin-blocked'
        if (isBlocked && pin.certificate !== undefined) blocked.set(reader, pin)
        throw error
      }
    },
  }
}

/** undefined: the operation needs none, or one whose tries the card tells. */
function findSilentPin(operation: CardOperation): SilentPin | undefined {
  if (operation.kind === 'certificates' || !('key' in operation)) return undefined
  const { kind, module, key } = operation
  const pin = findCardModule(module)?.keys.find(({ id }) => id === key)?.pin
  if (pin?.tellsTries !== false) return undefined
  return { pin, key, certificate: kind === 'prepare' ? undefined : (operation.certificate ?? '') }
}

const readPrepared = (result: CardResult): string =>
  (result.kind === 'prepare' && result.certificate) || ''
