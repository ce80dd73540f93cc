/** The tokens that libraries name: asked for when readers are listed, forgotten with the library. */
import type { CardLibrary } from '@cardwire/protocol/card-settings'
import { Problem } from '@cardwire/protocol/problem'
import type { TokenLibrary } from '../../system/ipc/token-messages.ts'
import type { CardAccess } from './card-access.ts'

/** A library as the administrator names it, and whether a file that only root can change does. */
export type NamedLibrary = CardLibrary & Pick<TokenLibrary, 'isNamedByRoot'>

export interface LibraryTokens {
  /** The names of all tokens; one that several libraries name comes once. */
  names(): ReadonlySet<string>
  /** The first library that names this token. */
  findLibrary(token: string): NamedLibrary | undefined
  /** Asks the libraries for their tokens; resolves when all have answered, or have not in time. */
  find(): Promise<void>
  /** The administrator has said something else: ends the libraries that are not named any more. */
  update(): void
}

export interface LibraryTokenOptions {
  readonly cards: Pick<CardAccess, 'run' | 'endLibrary'>
  /** Those of this system. */
  readonly libraries: () => readonly NamedLibrary[]
  /** Called when a library has answered, or is not named any more. */
  readonly onChange: () => void
}

/** How long a listing waits for libraries, in milliseconds: some of vendors take seconds to start. */
const maxWaitMs = { first: 5000, later: 300 } as const

export function createLibraryTokens(options: LibraryTokenOptions): LibraryTokens {
  const { cards, libraries, onChange } = options
  /** By the path of the library; one that is asked for the first time has none. */
  let tokens = new Map<string, readonly string[]>()
  let known = libraries()
  let hasListed = false

  const ask = async (named: NamedLibrary): Promise<void> => {
    const { path, sha256 } = named
    const library = toTokenLibrary(named, true)
    const { names } = await cards.run('', { kind: 'list-tokens' }, { library }).catch((error) => ({
      // A library that cannot be used has none. One that does not answer has those that it had.
      names: isUnread(error) ? (tokens.get(path) ?? []) : [],
    }))
    if (!libraries().some((one) => one.path === path && one.sha256 === sha256)) return
    tokens.set(path, names)
    onChange()
  }
  const find = async () => {
    hasListed = true
    const own = libraries().filter(({ ownReaders }) => ownReaders)
    if (own.length === 0) return
    const isKnown = own.every(({ path }) => tokens.has(path))
    const limitMs = isKnown ? maxWaitMs.later : maxWaitMs.first
    await Promise.race([Promise.all(own.map(ask)), Bun.sleep(limitMs)])
  }

  return {
    names: () => new Set([...tokens.values()].flat()),
    findLibrary: (token) => libraries().find(({ path }) => tokens.get(path)?.includes(token)),
    find,
    update() {
      const now = libraries()
      const isStill = (old: NamedLibrary) => now.some((one) => Bun.deepEquals(one, old))
      for (const library of known) if (!isStill(library)) cards.endLibrary(library.path)
      const kept = new Set(known.filter(isStill).map(({ path }) => path))
      tokens = new Map([...tokens].filter(([path]) => kept.has(path)))
      known = now
      onChange()
      if (hasListed) void find()
    },
  }
}

/** `isOwn`: the token lies in no reader of the system. */
export const toTokenLibrary = (
  { path, sha256, isNamedByRoot }: NamedLibrary,
  isOwn: boolean,
): TokenLibrary => ({ path, sha256, isNamedByRoot, isOwn })

const isUnread = (error: unknown): boolean =>
  error instanceof Problem && (error.name === 'card-mute' || error.name === 'card-busy')
