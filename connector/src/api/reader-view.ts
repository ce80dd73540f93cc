/** Readers as the API returns them: with the description and the modules of their cards. */
import type { Reader } from '@cardwire/protocol/reader'
import type { Reader as SandboxReader } from '../sandbox/readers/readers.ts'
import type { Cards } from './cards/cards.ts'

export function createReaderView(cards: Cards): (reader: SandboxReader) => Reader {
  return ({ id, name, pinpad, card }) => {
    if (!card) return { id, name, pinpad }
    const [module, ...others] = card.modules ?? cards.modulesFor(card.atr)
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
