/** What is known of a card by its ATR: what it is, and the modules that handle it. */
import type { Modules } from '../modules/registry.ts'
import type { AtrList } from './atr-list.ts'

export interface Cards {
  /** What cards with this ATR are; empty when nobody knows. */
  describe(atr: string): readonly string[]
  /** The ids of the modules that handle it, best first. */
  modulesFor(atr: string): readonly string[]
}

// As many cards as a day at a busy desk shows; a lookup costs little, but every listing makes one for each card.
const remembered = 200

/** `list` is asked anew for each unknown card, so that it may still be loading when the first is inserted. */
export function createCards(list: () => AtrList | undefined, modules: Modules): Cards {
  let known: { readonly of: AtrList; readonly descriptions: Map<string, readonly string[]> }
  return {
    describe: (atr) => {
      const current = list()
      if (!current) return []
      if (known?.of !== current || known.descriptions.size >= remembered) {
        known = { of: current, descriptions: new Map() }
      }
      const described = known.descriptions.get(atr) ?? current.describe(atr)
      known.descriptions.set(atr, described)
      return described
    },
    modulesFor: (atr) => modules.handling(atr),
  }
}
