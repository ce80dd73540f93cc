/** What the components of a page share. */
import type { CardwireConnection } from '@cardwire/client/connection'
import { createContext, useContext } from 'react'

/** The connection and the language of a page. */
export interface Shared {
  readonly connection: CardwireConnection
  /** The language of the texts (BCP 47); undefined: that of the page. */
  readonly language: string | undefined
}

export const CardwireContext = createContext<Shared | undefined>(undefined)

/** Throws where there is no provider: a mistake of the page. */
export function useShared(): Shared {
  const shared = useContext(CardwireContext)
  if (!shared) throw new Error('Cannot find <CardwireProvider> above this component')
  return shared
}
