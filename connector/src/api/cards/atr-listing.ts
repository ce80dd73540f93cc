/** The known cards as the API lists them, with the module that handles each. */
import type { Atr } from '@cardwire/protocol/reader'
import type { Modules } from '../modules/modules.ts'
import type { AtrSource } from './atr-source.ts'

export interface AtrListing {
  /** All entries of the list, once it is loaded. They are put together at the first call. */
  list(): Promise<readonly Atr[]>
}

export function createAtrListing(loaded: Promise<AtrSource>, modules: Modules): AtrListing {
  let listing: Promise<readonly Atr[]> | undefined
  const create = async (): Promise<readonly Atr[]> => {
    const { list } = await loaded
    return list.entries().map(({ atr, descriptions }) => {
      // A module says which ATRs it handles, not which patterns.
      const module = /^[0-9A-F]+$/.test(atr) ? modules.list(atr)[0] : undefined
      return {
        atr,
        description: [...descriptions],
        module: module?.id ?? '',
        moduleDescription: module?.description ?? '',
      }
    })
  }
  return { list: () => (listing ??= create()) }
}
