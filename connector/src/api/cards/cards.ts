/** What is known about a card by its ATR: descriptions, and the modules that handle it. */
import type { Modules } from '../modules/modules.ts'
import type { AtrList } from './atr-list.ts'

export interface Cards {
  /** Descriptions of cards with this ATR; empty when unknown. */
  describe(atr: string): readonly string[]
  /** The ids of the modules that handle it, best first. */
  modulesFor(atr: string): readonly string[]
}

// More cards than a busy counter sees in a day. A lookup is cheap, but every listing does one for each card.
const maxCached = 200

/** `list` is called for each new card: it may still be loading when the first card is inserted. */
export function createCards(list: () => AtrList | undefined, modules: Modules): Cards {
  let cache: { readonly of: AtrList; readonly descriptions: Map<string, readonly string[]> }
  return {
    describe: (atr) => {
      const current = list()
      if (!current) return []
      if (cache?.of !== current || cache.descriptions.size >= maxCached) {
        cache = { of: current, descriptions: new Map() }
      }
      const described = cache.descriptions.get(atr) ?? current.describe(atr)
      cache.descriptions.set(atr, described)
      return described
    },
    modulesFor: (atr) => modules.idsFor(atr),
  }
}
