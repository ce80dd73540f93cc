/** How many requests may wait for the agents of each user: what others send takes none of a user's share. */
/** Pending requests in all; those that are more, and more than a user's share, count as denied. */
const maxPending = 40_000

/** The share of a user, for each agent: two hundred of two hundred agents are all that may wait. */
const sharePerAgent = 200

type User = string | undefined

/** The agents that have registered. */
interface UsersOfAgents {
  forUser(): readonly { readonly user: User }[]
}

export interface PendingShares {
  /**
   * Returns a function that counts a request for an agent of this user; false: it is one too many, and not counted. The agents are
   * those of the time when this is called.
   */
  open(): (user: User) => boolean
  /** A request that was counted waits no longer. */
  release(user: User): void
}

/** Users as the system names them; the agents that it does not name count as those of one. */
export function createPendingShares(agents: UsersOfAgents): PendingShares {
  const pending = new Map<User, number>()
  let total = 0

  /** What is still kept for the others. */
  const countKept = (shares: ReadonlyMap<User, number>, user: User) =>
    [...shares]
      .filter(([other]) => other !== user)
      .reduce((sum, [other, share]) => sum + Math.max(0, share - (pending.get(other) ?? 0)), 0)

  return {
    open() {
      const shares = countShares(agents)
      return (user) => {
        const own = pending.get(user) ?? 0
        const isShared = own < (shares.get(user) ?? 0)
        if (!isShared && total + countKept(shares, user) >= maxPending) return false
        pending.set(user, own + 1)
        total += 1
        return true
      }
    },
    release(user) {
      const left = (pending.get(user) ?? 0) - 1
      total -= 1
      if (left > 0) pending.set(user, left)
      else pending.delete(user)
    },
  }
}

function countShares(agents: UsersOfAgents): ReadonlyMap<User, number> {
  const shares = new Map<User, number>()
  for (const { user } of agents.forUser()) {
    shares.set(user, (shares.get(user) ?? 0) + sharePerAgent)
  }
  return shares
}
