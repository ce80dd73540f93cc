/** Opens the known cards of this machine, from the list beside the binary or the system's. */
import { homedir } from 'node:os'
import { dirname } from 'node:path'
import { createModules, registeredModules, toModuleSystem } from '../modules/modules.ts'
import { type AtrListing, createAtrListing } from './atr-listing.ts'
import { type AtrListFolders, type AtrSource, atrListPaths, loadAtrList } from './atr-source.ts'
import { type Cards, createCards } from './cards.ts'

export interface OpenCards extends Cards {
  /** Resolves when the list is read; until then no card has a description. Never rejects. */
  readonly loaded: Promise<AtrSource>
  readonly atrs: AtrListing
}

/** Starts reading the list in the background. */
export function openCards(places: Partial<AtrListFolders> = {}): OpenCards {
  const paths = atrListPaths({
    binaryFolder: dirname(process.execPath),
    home: homedir(),
    environment: process.env,
    ...places,
  })
  let source: AtrSource | undefined
  const loaded = loadAtrList(paths).then((read) => {
    source = read
    return read
  })
  const modules = createModules(registeredModules, toModuleSystem(process.platform))
  return {
    ...createCards(() => source?.list, modules),
    loaded,
    atrs: createAtrListing(loaded, modules),
  }
}
