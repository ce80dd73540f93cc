/** Puts the tokens of libraries among the readers, and sends what is done with them to the libraries. */
import type { Module } from '../api/modules/module.ts'
import { createTokenModule, tokenModuleId as module } from '../api/modules/token-module.ts'
import { toPlatform } from '../distribution/sync/device-info.ts'
import type { CardAccess } from '../sandbox/readers/card-access.ts'
import { type ProbeOptions, probeCards } from '../sandbox/readers/card-probe.ts'
import type { NamedLibrary } from '../sandbox/readers/library-tokens.ts'
import { addTokens, type TokenReaders, useLibraries } from '../sandbox/readers/token-readers.ts'

export interface OpenTokensOptions extends Omit<ProbeOptions, 'cards'> {
  readonly cards: CardAccess
  /** What the administrator says now, and when that changes. */
  readonly words: {
    readonly libraries: () => readonly NamedLibrary[]
    onChange(listener: () => void): () => void
  }
}

export interface OpenTokens {
  readonly readers: TokenReaders
  readonly cardAccess: CardAccess
  readonly tokenModule: Module
}

export function openTokens({
  readers,
  cards,
  findByAtr,
  words,
  log,
}: OpenTokensOptions): OpenTokens {
  const platform = toPlatform(process.platform, process.arch)
  const libraries = () => words.libraries().filter(({ os }) => os === platform)
  const isServed = (atr: string) => libraries().some(({ atrs }) => atrs.includes(atr))
  const withTokens = addTokens({
    readers: probeCards({
      readers,
      cards,
      findByAtr: (atr) => [...(isServed(atr) ? [module] : []), ...findByAtr(atr)],
      log,
    }),
    ...{ cards, libraries, onLibraries: words.onChange, module, log },
  })
  return {
    readers: withTokens,
    cardAccess: useLibraries(cards, { findLibrary: withTokens.findLibrary, module }),
    tokenModule: createTokenModule(isServed),
  }
}
