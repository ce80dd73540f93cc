/** The origins that a registry answers: those of the settings, and those of every API it has seen. */
import type { Registration } from '../agent/protocol.ts'

/** Lists of a user that are remembered, the latest ones, with so many origins together. */
const mostLists = 100
const mostOfUser = 20_000
/** Users that are remembered: those who were heard of last. */
const mostUsers = 200
/** Origins in all: what a user brings above an equal share fits only where others leave room. */
const mostOrigins = 50_000

export interface Allowlist {
  origins(): readonly string[]
  /**
   * Kept when the API goes, so that its pages get an answer they can read while it starts again. `user` as the system names
   * it: nobody's lists take the place of another user's.
   */
  learn(registration: Pick<Registration, 'agentId' | 'allowlist'>, user: string | undefined): void
}

export function createAllowlist(own: readonly string[]): Allowlist {
  const users = new Map<string | undefined, Map<string, readonly string[]>>()
  let origins = own
  return {
    origins: () => origins,
    learn({ agentId, allowlist }, user) {
      const lists = users.get(user) ?? new Map<string, readonly string[]>()
      putLast(users, user, lists, mostUsers)
      putLast(lists, agentId, allowlist, mostLists)
      forgetFirst(lists, mostOfUser)
      const ofUsers = [...users.values()].map((each) => [...each.values()].toReversed().flat())
      const room = Math.max(0, mostOrigins - own.length)
      origins = [...new Set([...own, ...shared(ofUsers, room)])]
    },
  }
}

/** Whoever wants less than an equal share has it whole; the others share the rest. */
function shared(ofUsers: readonly (readonly string[])[], room: number): readonly string[] {
  const wanted = ofUsers.map((list) => [...new Set(list)]).toSorted((a, b) => a.length - b.length)
  let left = room
  return wanted.flatMap((list, index) => {
    const part = list.slice(0, Math.floor(left / (wanted.length - index)))
    left -= part.length
    return part
  })
}

function forgetFirst(lists: Map<string, readonly string[]>, most: number): void {
  let count = 0
  for (const [agentId, list] of [...lists].toReversed()) {
    count += list.length
    if (count > most) lists.delete(agentId)
  }
}

function putLast<K, V>(map: Map<K, V>, key: K, value: V, most: number): void {
  map.delete(key)
  map.set(key, value)
  const [oldest] = map.keys()
  if (map.size > most && oldest !== undefined) map.delete(oldest)
}
