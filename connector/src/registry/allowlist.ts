/** The origins that a registry answers: those of its settings, and those of every agent that has registered. */
import { parseAllowlist } from '@cardwire/protocol/origin'
import { type CallerAccount, getUser } from '../http/route-types.ts'
import type { Registration } from '../system/ipc/registry-messages.ts'

/** The latest lists of a user are kept, up to so many origins together. */
const maxOriginsPerUser = 20_000
/** The same for all users whom the system does not name. */
const maxOriginsOfUnnamed = 100_000
/** Origins in all: a user gets more than an equal share only where others leave room. */
const maxOrigins = 50_000
/** Entries that are kept beside, for the time when others leave room: 100 MB, were each of 512 characters. */
const maxKept = 200_000

export interface RegistryAllowlist {
  /**
   * The origins whose pages are answered in a browser of this account: those of its own agents. Where the system does not
   * say whose an agent or a browser is, every list may be that of its user.
   */
  originsFor(account: CallerAccount): readonly string[]
  /**
   * Keeps the list of an agent, also after the agent has gone, so that its pages get an answer they can read while it
   * restarts. `user` as the system names it: lists of one user do not replace those of another. Returns how many entries
   * are not origins, and are left out.
   */
  add(registration: Pick<Registration, 'agentId' | 'allowlist'>, user: string | undefined): number
  /** The origins of the settings are these from now on: a service has sent its list. */
  replaceSettings(origins: readonly string[]): void
}

/** The origins of the settings, and whose pages they allow: those of the account that runs the registry, or of everyone. */
export interface SettingsOrigins {
  readonly origins: readonly string[]
  readonly forEveryone: boolean
}

type User = string | undefined

/** The list of an agent, as it was last registered. */
interface AgentList {
  readonly digest: string
  readonly origins: readonly string[]
  /** How many entries are not origins. */
  readonly invalid: number
}

/** The lists of a user by agent id, the latest last. */
interface UserLists {
  readonly lists: Map<string, AgentList>
  /** Origins of all lists. */
  size: number
  /** Each origin once, those of the latest list first. */
  wanted: readonly string[]
}

/** What a user gets: the first of the origins that the user wants. */
interface Share {
  readonly wanted: readonly string[]
  readonly origins: readonly string[]
}
type Shares = ReadonlyMap<User, Share>

interface CachedOrigins {
  readonly sources: readonly (readonly string[])[]
  readonly origins: readonly string[]
}

/** `maxAgents`: lists that are kept in all; half of them are of one user at most. */
export function createRegistryAllowlist(
  settings: SettingsOrigins,
  maxAgents: number,
): RegistryAllowlist {
  const users = new Map<User, UserLists>()
  let shares: Shares = new Map()
  let settingsOrigins = settings.origins
  /** By account. The lists are long, and needed for every request: another user's registration does not change them. */
  const cache = new Map<string, CachedOrigins>()
  const share = () => {
    shares = shareFairly(users, Math.max(0, maxOrigins - settingsOrigins.length), shares)
  }
  const listSources = (user: User, isOwn: boolean) => {
    const ofAgents =
      user === undefined ? [...shares.values()] : [shares.get(user), shares.get(undefined)]
    const lists = ofAgents.flatMap((each) => (each ? [each.origins] : []))
    return isOwn ? [settingsOrigins, ...lists] : lists
  }
  return {
    originsFor(account) {
      const user = getUser(account)
      const isOwn = settings.forEveryone || account.kind !== 'other'
      const key = `${isOwn} ${user ?? ''}`
      const sources = listSources(user, isOwn)
      const cached = cache.get(key)
      if (cached && areSame(cached.sources, sources)) return cached.origins
      const origins = [...new Set(sources.flat())]
      setMostRecent(cache, key, { sources, origins }, maxCached)
      return origins
    },
    add({ agentId, allowlist }, user) {
      const own: UserLists = users.get(user) ?? { lists: new Map(), size: 0, wanted: [] }
      const isNamed = user !== undefined
      const digest = createDigest(allowlist)
      const previous = own.lists.get(agentId)
      // Agents register again and again: what is known of a list is not computed once more.
      const list = previous?.digest === digest ? previous : { digest, ...parseList(allowlist) }
      setMostRecent(users, user, own, maxAgents)
      setMostRecent(own.lists, agentId, list, isNamed ? Math.ceil(maxAgents / 2) : maxAgents)
      if (list === previous) return list.invalid
      const maxOriginsOf = isNamed ? maxOriginsPerUser : maxOriginsOfUnnamed
      own.size = evictOldest(own.lists, maxOriginsOf, ({ origins }) => origins.length)
      own.wanted = uniteLists(own.lists)
      evictOldest(users, maxKept, ({ size }) => size)
      share()
      return list.invalid
    },
    replaceSettings(origins) {
      settingsOrigins = origins
      share()
    },
  }
}

/** Accounts whose origins are cached. */
const maxCached = 100

const createDigest = (allowlist: readonly string[]): string =>
  new Bun.CryptoHasher('sha256').update(JSON.stringify(allowlist)).digest('base64')

function parseList(allowlist: readonly string[]): Omit<AgentList, 'digest'> {
  const origins = parseAllowlist(allowlist)
  return { origins, invalid: allowlist.length - origins.length }
}

const uniteLists = (lists: UserLists['lists']): readonly string[] => [
  ...new Set([...lists.values()].toReversed().flatMap(({ origins }) => origins)),
]

const areSame = (a: CachedOrigins['sources'], b: CachedOrigins['sources']): boolean =>
  a.length === b.length && a.every((list, index) => list === b[index])

/**
 * Users who want less than an equal share get all they want; the others share the rest equally. The latest lists are first. A
 * share that stays as it is stays the same list.
 */
function shareFairly(users: ReadonlyMap<User, UserLists>, room: number, previous: Shares): Shares {
  const all = [...users].toSorted(([, a], [, b]) => a.wanted.length - b.wanted.length)
  let remaining = room
  return new Map(
    all.map(([user, { wanted }], index) => {
      const size = Math.min(wanted.length, Math.floor(remaining / (all.length - index)))
      remaining -= size
      const before = previous.get(user)
      if (before?.wanted === wanted && before.origins.length === size) return [user, before]
      return [user, { wanted, origins: size < wanted.length ? wanted.slice(0, size) : wanted }]
    }),
  )
}

/** Removes the oldest values, so that the sizes of the others are `maxSize` at most together, which is returned. */
function evictOldest<K, V>(map: Map<K, V>, maxSize: number, getSize: (value: V) => number): number {
  let [size, kept] = [0, 0]
  for (const [key, value] of [...map].toReversed()) {
    size += getSize(value)
    if (size > maxSize) map.delete(key)
    else kept = size
  }
  return kept
}

/** Sets the value as the latest one; beyond `maxSize` the oldest is removed. */
function setMostRecent<K, V>(map: Map<K, V>, key: K, value: V, maxSize: number): void {
  map.delete(key)
  map.set(key, value)
  const [oldest] = map.keys()
  if (map.size > maxSize && oldest !== undefined) map.delete(oldest)
}
