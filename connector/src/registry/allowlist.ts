/** The origins that a registry answers: those of its settings, and those of every agent that has registered. */
import { parseAllowlist } from '@cardwire/client/protocol/origin'
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
type Lists = Map<string, readonly string[]>

/** `maxAgents`: lists that are kept in all; half of them are of one user at most. */
export function createRegistryAllowlist(
  settings: SettingsOrigins,
  maxAgents: number,
): RegistryAllowlist {
  const users = new Map<User, Lists>()
  let shares: ReadonlyMap<User, readonly string[]> = new Map()
  let settingsOrigins = settings.origins
  /** The lists are long, and needed for every request. */
  const cache = new Map<string, readonly string[]>()
  const share = () => {
    cache.clear()
    shares = shareFairly(users, Math.max(0, maxOrigins - settingsOrigins.length))
  }
  return {
    originsFor(account) {
      const user = getUser(account)
      const isOwn = settings.forEveryone || account.kind !== 'other'
      const key = `${isOwn} ${user ?? ''}`
      const cached = cache.get(key)
      if (cached) return cached
      const lists =
        user === undefined ? [...shares.values()] : [shares.get(user), shares.get(undefined)]
      const own = isOwn ? settingsOrigins : []
      const origins = [...new Set([...own, ...lists.flatMap((list) => list ?? [])])]
      cache.set(key, origins)
      return origins
    },
    add({ agentId, allowlist }, user) {
      const origins = parseAllowlist(allowlist)
      const lists: Lists = users.get(user) ?? new Map()
      const isNamed = user !== undefined
      setMostRecent(users, user, lists, maxAgents)
      setMostRecent(lists, agentId, origins, isNamed ? Math.ceil(maxAgents / 2) : maxAgents)
      const maxOriginsOf = isNamed ? maxOriginsPerUser : maxOriginsOfUnnamed
      evictOldest(lists, maxOriginsOf, (list) => list.length)
      evictOldest(users, maxKept, (each) => sum([...each.values()].map((list) => list.length)))
      share()
      return allowlist.length - origins.length
    },
    replaceSettings(origins) {
      settingsOrigins = origins
      share()
    },
  }
}

/** Users who want less than an equal share get all they want; the others share the rest equally. The latest lists are first. */
function shareFairly(
  users: ReadonlyMap<User, Lists>,
  room: number,
): ReadonlyMap<User, readonly string[]> {
  const wanted = [...users]
    .map(([user, lists]) => [user, [...new Set([...lists.values()].toReversed().flat())]] as const)
    .toSorted(([, a], [, b]) => a.length - b.length)
  let remaining = room
  return new Map(
    wanted.map(([user, list], index) => {
      const share = list.slice(0, Math.floor(remaining / (wanted.length - index)))
      remaining -= share.length
      return [user, share]
    }),
  )
}

/** Removes the oldest values, so that the sizes of the others are `maxSize` at most together. */
function evictOldest<K, V>(map: Map<K, V>, maxSize: number, getSize: (value: V) => number): void {
  let size = 0
  for (const [key, value] of [...map].toReversed()) {
    size += getSize(value)
    if (size > maxSize) map.delete(key)
  }
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0)

/** Sets the value as the latest one; beyond `maxSize` the oldest is removed. */
function setMostRecent<K, V>(map: Map<K, V>, key: K, value: V, maxSize: number): void {
  map.delete(key)
  map.set(key, value)
  const [oldest] = map.keys()
  if (map.size > maxSize && oldest !== undefined) map.delete(oldest)
}
