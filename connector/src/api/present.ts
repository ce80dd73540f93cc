/** Readers as the API shows them: with what is known of the cards in them. */
import type { Reader } from '@cardwire/client/protocol'
import type { Cards } from '../cards/cards.ts'
import type { Reader as Seen } from '../readers/readers.ts'

export function presenter(cards: Cards): (reader: Seen) => Reader {
  return ({ id, name, pinpad, card }) => {
    if (!card) return { id, name, pinpad }
    const [module, ...others] = cards.modulesFor(card.atr)
    const description = [...cards.describe(card.atr)]
    const modules = module === undefined ? [] : [module, ...others]
    return {
      id,
      name,
      pinpad,
      card: { atr: card.atr, description, ...(module !== undefined && { module }), modules },
    }
  }
}
