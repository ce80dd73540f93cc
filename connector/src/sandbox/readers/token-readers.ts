/** The tokens of libraries: those that lie in no reader of the system as readers of their own, and the cards that a library serves. */
import { Problem } from '@cardwire/protocol/problem'
import type { CardOperation, CardResult } from '../../system/ipc/card-messages.ts'
import type { TokenLibrary } from '../../system/ipc/token-messages.ts'
import type { Log } from '../../system/log.ts'
import type { CardAccess } from './card-access.ts'
import type { ProbedReaders } from './card-probe.ts'
import { createLibraryTokens, type NamedLibrary, toTokenLibrary } from './library-tokens.ts'
import type { OperationOptions } from './operation-queue.ts'
import { createReaderIds } from './reader-id.ts'
import type { Reader } from './readers.ts'
import { createSnapshots } from './snapshots.ts'

export interface TokenReaders extends ProbedReaders {
  /** The library of the card or token in the reader of this name; undefined: the administrator has named none. */
  findLibrary(reader: string): TokenLibrary | undefined
  /** Asks the libraries for their tokens; resolves when all have answered, or have not in time. */
  findTokens(): Promise<void>
}

export interface TokenReaderOptions {
  readonly readers: ProbedReaders
  readonly cards: Pick<CardAccess, 'run' | 'endLibrary'>
  /** Those of this system. */
  readonly libraries: () => readonly NamedLibrary[]
  /** Calls back whenever the administrator has said something else. */
  readonly onLibraries: (listener: () => void) => unknown
  /** The module that a library answers for. */
  readonly module: string
  readonly log: Pick<Log, 'error'>
}

export function addTokens(options: TokenReaderOptions): TokenReaders {
  const { readers, cards, libraries, module, log } = options
  const snapshots = createSnapshots(log)
  const tokens = createLibraryTokens({ cards, libraries, onChange: () => publish() })

  const findByAtr = (atr: string) => libraries().find(({ atrs }) => atrs.includes(atr))
  const addModule = (reader: Reader): Reader => {
    const { card } = reader
    const modules = card && listModules(card, module, findByAtr(card.atr) !== undefined)
    return modules ? { ...reader, card: { ...card, modules } } : reader
  }
  const publish = () => {
    const { pcsc, readers: present } = readers.snapshot()
    const ofTokens = toTokenReaders(tokens.names(), present, module)
    snapshots.publish(pcsc, [...present.map(addModule), ...ofTokens])
  }

  publish()
  readers.subscribe(publish)
  options.onLibraries(tokens.update)

  return {
    ...readers,
    snapshot() {
      readers.snapshot()
      return snapshots.current()
    },
    subscribe: snapshots.subscribe,
    findTokens: tokens.find,
    async probe() {
      await Promise.all([readers.probe(), tokens.find()])
    },
    findLibrary(reader) {
      const found = snapshots.current().readers.find(({ name }) => name === reader)
      if (!found?.card?.modules?.includes(module)) return undefined
      const isOwn = found.card.atr === ''
      const library = isOwn ? tokens.findLibrary(reader) : findByAtr(found.card.atr)
      return library && toTokenLibrary(library, isOwn)
    },
  }
}

/** The module of tokens is among them only while a library serves the card: an earlier probe may have found it. */
function listModules(
  { modules }: NonNullable<Reader['card']>,
  module: string,
  isServed: boolean,
): readonly string[] | undefined {
  const others = modules?.filter((id) => id !== module)
  return others && isServed ? [module, ...others] : others
}

/** One for each token; a reader of the system keeps its name. */
function toTokenReaders(
  tokens: ReadonlySet<string>,
  present: readonly Reader[],
  module: string,
): readonly Reader[] {
  const taken = new Set(present.map(({ name }) => name))
  const names = [...tokens].filter((name) => !taken.has(name))
  const ids = createReaderIds(names.map((name) => `token ${name}`))
  return names.map((name) => ({
    ...{ id: ids.get(`token ${name}`) ?? '', name, pinpad: false },
    // Nothing was reset: there is no answer to it.
    card: { atr: '', modules: [module] },
  }))
}

/** The same access; operations with tokens go to the library of their reader, and a card that got a PIN is reset afterwards. */
export function useLibraries(
  cards: CardAccess,
  { findLibrary, module }: Pick<TokenReaders, 'findLibrary'> & { readonly module: string },
): CardAccess {
  return {
    ...cards,
    async run<O extends CardOperation>(reader: string, operation: O, options?: OperationOptions) {
      const isOfToken =
        'module' in operation ? operation.module === module : tokenKinds.has(operation.kind)
      if (!isOfToken) return cards.run(reader, operation, options)
      const library = findLibrary(reader)
      if (!library) {
        const message = 'Cannot use the card: the administrator no longer names a library for it'
        throw new Problem('card-unsupported', message)
      }
      try {
        return await cards.run(reader, operation, { ...options, library })
      } finally {
        // What the library has verified would be good for every other program.
        if (!library.isOwn && needsReset(operation)) await resetCard(cards, reader)
      }
    },
  }
}

const tokenKinds: ReadonlySet<CardOperation['kind']> = new Set(['describe-token', 'token-info'])

const needsReset = ({ kind }: { readonly kind: CardOperation['kind'] }): boolean =>
  kind === 'verify' || kind === 'sign'

/** Milliseconds; a library that does not let go of the card keeps it from us. */
const resetTimeoutMs = 5000

const resetCard = (cards: CardAccess, reader: string): Promise<CardResult | undefined> =>
  cards.run(reader, { kind: 'reset' }, { timeoutMs: resetTimeoutMs }).catch(() => undefined)
