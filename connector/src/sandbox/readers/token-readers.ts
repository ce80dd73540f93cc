/** The tokens of libraries: those that lie in no reader of the system as readers of their own, and the cards that a library serves. */
import { type CardLibrary, Problem } from '@cardwire/client/protocol'
import type { CardOperation, CardResult } from '../../system/ipc/card-messages.ts'
import type { TokenLibrary } from '../../system/ipc/token-messages.ts'
import type { Log } from '../../system/log.ts'
import type { CardAccess, OperationOptions } from './card-access.ts'
import type { ProbedReaders } from './card-probe.ts'
import { createReaderIds } from './reader-id.ts'
import type { Reader } from './readers.ts'
import { createSnapshots } from './snapshots.ts'

/** A library as the administrator names it, and whether a file that only root can change does. */
export type NamedLibrary = CardLibrary & Pick<TokenLibrary, 'isNamedByRoot'>

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

/** How long a listing waits for libraries, in milliseconds: some of vendors take seconds to start. */
const maxWaitMs = { first: 5000, later: 300 } as const

export function addTokens(options: TokenReaderOptions): TokenReaders {
  const { readers, cards, libraries, module, log } = options
  const snapshots = createSnapshots(log)
  /** The tokens that a library has named, by its path; one that is asked for the first time has none. */
  let tokens = new Map<string, readonly string[]>()
  let known = libraries()
  let wasAsked = false

  const findByAtr = (atr: string) => libraries().find(({ atrs }) => atrs.includes(atr))
  /** The words of before may still be in what is known about the card. */
  const addModule = (reader: Reader): Reader => {
    const { card } = reader
    if (!card?.modules) return reader
    const others = card.modules.filter((id) => id !== module)
    const modules = findByAtr(card.atr) ? [module, ...others] : others
    return { ...reader, card: { ...card, modules } }
  }
  /** The first library that names a token has it; a reader of the system keeps its name. */
  const listTokens = (present: readonly Reader[]): readonly Reader[] => {
    const names = new Set([...tokens.values()].flat())
    for (const { name } of present) names.delete(name)
    const ids = createReaderIds([...names].map((name) => `token ${name}`))
    return [...names].map((name) => ({
      ...{ id: ids.get(`token ${name}`) ?? '', name, pinpad: false },
      // Nothing was reset: there is no answer to it.
      card: { atr: '', modules: [module] },
    }))
  }
  const publish = () => {
    const { pcsc, readers: present } = readers.snapshot()
    snapshots.publish(pcsc, [...present.map(addModule), ...listTokens(present)])
  }
  const ask = async ({ path, sha256, isNamedByRoot }: NamedLibrary): Promise<void> => {
    const library = { path, sha256, isNamedByRoot, isOwn: true }
    const { names } = await cards.run('', { kind: 'list-tokens' }, { library }).catch((error) => ({
      // A library that cannot be used has none. One that does not answer has those that it had.
      names: isUnread(error) ? (tokens.get(path) ?? []) : [],
    }))
    if (!libraries().some((one) => one.path === path && one.sha256 === sha256)) return
    tokens.set(path, names)
    publish()
  }
  const findTokens = async () => {
    wasAsked = true
    const own = libraries().filter(({ ownReaders }) => ownReaders)
    if (own.length === 0) return
    const isKnown = own.every(({ path }) => tokens.has(path))
    const limitMs = isKnown ? maxWaitMs.later : maxWaitMs.first
    await Promise.race([Promise.all(own.map(ask)), Bun.sleep(limitMs)])
  }

  publish()
  readers.subscribe(publish)
  options.onLibraries(() => {
    const now = libraries()
    const isStill = (old: NamedLibrary) => now.some((one) => Bun.deepEquals(one, old))
    for (const library of known) if (!isStill(library)) cards.endLibrary(library.path)
    const kept = new Set(known.filter(isStill).map(({ path }) => path))
    tokens = new Map([...tokens].filter(([path]) => kept.has(path)))
    known = now
    publish()
    if (wasAsked) void findTokens()
  })

  return {
    ...readers,
    snapshot() {
      readers.snapshot()
      return snapshots.current()
    },
    subscribe: snapshots.subscribe,
    findTokens,
    async probe() {
      await Promise.all([readers.probe(), findTokens()])
    },
    findLibrary(reader) {
      const found = snapshots.current().readers.find(({ name }) => name === reader)
      if (!found?.card?.modules?.includes(module)) return undefined
      const isOwn = found.card.atr === ''
      const library = isOwn
        ? libraries().find((one) => tokens.get(one.path)?.includes(reader))
        : findByAtr(found.card.atr)
      if (!library) return undefined
      const { path, sha256, isNamedByRoot } = library
      return { path, sha256, isNamedByRoot, isOwn }
    },
  }
}

const isUnread = (error: unknown): boolean =>
  error instanceof Problem && (error.name === 'card-mute' || error.name === 'card-busy')

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
        const message = 'Cannot use the card: the administrator names no library for it any more'
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
