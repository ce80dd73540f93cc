/** How long the registry waits for an agent: less for one that lets requests time out, so that it does not delay every page. */
import type { Clock } from '../system/clock.ts'
import type { Log } from '../system/log.ts'
import type { RegisteredAgent } from './agent-directory.ts'

/** How long an agent may take to respond, in milliseconds: it reads a clipboard within one second. */
export const responseTimeoutMs = 3000
/** The same for an agent that let a request time out. */
const unresponsiveTimeoutMs = 300
/** Agents of a user that may let their first request time out within a window: beyond, new ones are not waited for as long. */
const maxSilentNewcomers = 5
/** Milliseconds for which time-outs are remembered. */
const windowMs = 600_000
/** An agent that times out again and again owes twice as many responses each time, up to 2 to the power of this. */
const maxDoublings = 6
/** Agents and users that are remembered; the least recently used one is forgotten first. */
const maxRemembered = 1000

/** What the patience depends on. An agent is a process: a new one of the same agent id is another. */
export type WaitedForAgent = Pick<RegisteredAgent, 'agentId' | 'pid' | 'port' | 'user'>

export interface AgentPatience {
  /** For a request that is sent now: how long the agent may take, and what to call when it has not responded by then. */
  limit(agent: WaitedForAgent, request: { readonly id: string; readonly kind: string }): Patience
  /** It has responded to a request that was waited for. */
  countResponse(agent: WaitedForAgent): void
  /** It has responded to something else, which counts only if it is the request for which the wait was short, within the long one. */
  countLateResponse(agent: WaitedForAgent, id: string): void
}

interface Patience {
  readonly timeoutMs: number
  expire(): void
}

/** What is known of an agent that has responded, or let a request time out. */
interface Standing {
  /** Time-outs, each within a window after the one before. */
  readonly timeouts: number
  readonly lastTimeoutAt: number
  /** Responses that it owes until it is waited for as long as others. */
  readonly owed: number
  /** The last request whose short wait is over, until the long one would be. */
  readonly late?: { readonly id: string; readonly until: number } | undefined
}

const unknown: Standing = { timeouts: 0, lastTimeoutAt: Number.NEGATIVE_INFINITY, owed: 0 }

export function createAgentPatience(clock: Clock, log: Pick<Log, 'warn'>): AgentPatience {
  const standings = new Map<string, Standing>()
  /** When agents that had never responded let their first request time out, by user. */
  const silentNewcomers = new Map<string, readonly number[]>()

  const listSilentNewcomers = ({ user = '' }: WaitedForAgent) =>
    (silentNewcomers.get(user) ?? []).filter((at) => clock.now() - at < windowMs)

  function isWaitedForLong(agent: WaitedForAgent): boolean {
    const standing = standings.get(toKey(agent))
    if (standing) return standing.owed === 0
    return listSilentNewcomers(agent).length < maxSilentNewcomers
  }

  function countTimeout(agent: WaitedForAgent, kind: string): void {
    const known = standings.get(toKey(agent))
    // Another request of the same time has been counted.
    if (known && known.owed > 0) return
    const { agentId, user } = agent
    const now = clock.now()
    log.warn('agent does not respond', { agentId, kind, user })
    if (!known) remember(silentNewcomers, user ?? '', [...listSilentNewcomers(agent), now])
    const { timeouts, lastTimeoutAt } = known ?? unknown
    const doublings = now - lastTimeoutAt < windowMs ? Math.min(timeouts, maxDoublings) : 0
    const owed = 2 ** doublings
    remember(standings, toKey(agent), { timeouts: doublings + 1, lastTimeoutAt: now, owed })
  }

  function countResponse(agent: WaitedForAgent): void {
    const { late: _, ...standing } = standings.get(toKey(agent)) ?? unknown
    remember(standings, toKey(agent), { ...standing, owed: Math.max(0, standing.owed - 1) })
  }

  return {
    limit(agent, { id, kind }) {
      if (isWaitedForLong(agent)) {
        return { timeoutMs: responseTimeoutMs, expire: () => countTimeout(agent, kind) }
      }
      const late = { id, until: clock.now() + responseTimeoutMs }
      return {
        timeoutMs: unresponsiveTimeoutMs,
        expire() {
          const standing = standings.get(toKey(agent)) ?? { ...unknown, owed: 1 }
          remember(standings, toKey(agent), { ...standing, late })
        },
      }
    },
    countResponse,
    countLateResponse(agent, id) {
      const late = standings.get(toKey(agent))?.late
      if (late?.id === id && clock.now() < late.until) countResponse(agent)
    },
  }
}

const toKey = ({ agentId, pid, port, user = '' }: WaitedForAgent) =>
  `${user} ${agentId} ${pid} ${port}`

function remember<V>(map: Map<string, V>, key: string, value: V): void {
  map.delete(key)
  map.set(key, value)
  const [oldest] = map.keys()
  if (map.size > maxRemembered && oldest !== undefined) map.delete(oldest)
}
