/** Wrong PINs of cards, until the right one is entered. No PIN is here. */

import type { ApiServices } from './api-services.ts'
import { toPinName } from './card-pins.ts'
import type { PinState } from './pin-call.ts'

interface WrongPin {
  /** undefined: the card did not say. */
  triesLeft: number | undefined
}

interface NamedWrongPin {
  readonly pin: WrongPin
  /** The name is forgotten when the card leaves this reader; undefined: it is the name of the card itself. */
  readonly reader: string | undefined
}

/** Names by which wrong PINs are found; the oldest is forgotten for another. */
const maxNames = 200

export function createWrongPins(readers: Pick<ApiServices['readers'], 'subscribe'>) {
  const named = new Map<string, NamedWrongPin>()

  readers.subscribe(({ readers: present }) => {
    const used = new Set(present.filter(({ card }) => card).map(({ name }) => name))
    for (const [name, { reader }] of named) {
      if (reader !== undefined && !used.has(reader)) named.delete(name)
    }
  })

  const find = (state: PinState): WrongPin | undefined =>
    toNames(state)
      .map(({ name }) => named.get(name)?.pin)
      .find((pin) => pin !== undefined)

  return {
    find: find as (state: PinState) => Readonly<WrongPin> | undefined,
    forget(state: PinState): void {
      const found = find(state)
      for (const [name, { pin }] of named) if (pin === found) named.delete(name)
    },
    record(state: PinState, triesLeft: number | undefined): void {
      const pin = find(state) ?? { triesLeft }
      pin.triesLeft = triesLeft
      for (const { name, reader } of toNames(state)) {
        // The newest is the last of the map.
        named.delete(name)
        named.set(name, { pin, reader })
      }
      for (const name of named.keys()) {
        if (named.size <= maxNames) break
        named.delete(name)
      }
    },
  }
}

/**
 * By the certificate a card is known that leaves and comes back: some do not report their attempts. By the reader, because the
 * keys of a card share its PIN.
 */
function toNames({ card: { module, reader }, key, certificate }: PinState) {
  const toName = (of: string) => JSON.stringify([of, toPinName(module, key)])
  const byReader = { name: toName(`reader ${reader}`), reader }
  if (certificate === undefined) return [byReader]
  return [{ name: toName(`certificate ${certificate}`), reader: undefined }, byReader]
}
