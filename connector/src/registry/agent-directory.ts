/** The registered agents: their sessions, their users, and how long they count as running. */
import { randomBytes } from 'node:crypto'
import { Problem } from '@cardwire/client/protocol'
import type { Clock } from '../system/clock.ts'
import { type Registration, timeouts } from '../system/ipc/registry-messages.ts'
import { type AgentQueue, createAgentQueue } from './agent-queue.ts'

/** Without its allowlist, which is kept by user, in bounded space (`allowlist.ts`). */
export interface RegisteredAgent extends Omit<Registration, 'allowlist'> {
  /** The user whose process it is, as the system names users; undefined where the system does not say. */
  readonly user: string | undefined
  readonly queue: AgentQueue
}

export interface AgentDirectory {
  /**
   * Returns the session. Throws `caller-refused` for an agent id that may be another user's, where the system does not
   * say whose process one of the two is; `too-many-requests` when the directory is full.
   */
  register(registration: Registration, user: string | undefined): string
  /** The agent of a session. Throws `agent-unknown`, and `caller-refused` for the session of another user. */
  authenticate(session: string, user: string | undefined): RegisteredAgent
  /**
   * The agents that may answer a page of this user: those of the same user, where the system says whose they are. No agent
   * answers for another account or receives its requests.
   */
  forUser(user?: string): readonly RegisteredAgent[]
  /** Those of them with this agent id; a user may run several. Just after the start it waits for the first to register. */
  waitFor(agentId: string, user?: string): Promise<readonly RegisteredAgent[]>
  /** Calls back when an agent counts as gone. */
  onGone(listener: (agent: RegisteredAgent) => void): void
}

const queueTimeouts = {
  idlePollMs: timeouts.idlePollMs,
  // Two missed polls.
  missedPollMs: 2 * timeouts.requestMs,
  reconnectMs: 2000,
}
/** How long after the start `waitFor` waits, in milliseconds: an agent looks for a new registry within two seconds. */
const startupGraceMs = 3000

/** `maxAgents`: in all. */
export function createAgentDirectory(clock: Clock, maxAgents: number): AgentDirectory {
  const started = clock.now()
  const agents = new Map<string, RegisteredAgent>()
  const goneListeners: ((agent: RegisteredAgent) => void)[] = []
  const waiters = new Map<string, (() => void)[]>()

  const forUser = (user: string | undefined) =>
    [...agents.values()].filter(
      (agent) => agent.user === undefined || user === undefined || agent.user === user,
    )
  const findById = (agentId: string, user: string | undefined) =>
    forUser(user).filter((agent) => agent.agentId === agentId)

  /** When its polls stop, the agent that owns the queue by then is removed. */
  function openQueue(): AgentQueue {
    const queue = createAgentQueue(clock, queueTimeouts, () => {
      const gone = [...agents].find(([, agent]) => agent.queue === queue)
      if (!gone) return
      const [session, agent] = gone
      agents.delete(session)
      queue.close()
      for (const listener of goneListeners) listener(agent)
    })
    return queue
  }

  return {
    register(registration, user) {
      const { agentId, pid, port } = registration
      const sameId = [...agents].filter(([, agent]) => agent.agentId === agentId)
      // Users whom the system tells apart have requests of their own: an agent id taken by another user does no harm.
      const ofOthers = sameId.filter(([, agent]) => agent.user !== user)
      if (ofOthers.some(([, agent]) => user === undefined || agent.user === undefined)) {
        throw new Problem('caller-refused', 'Cannot register: this agent belongs to another user')
      }
      const [previous] = sameId.filter(
        ([, agent]) => agent.user === user && agent.pid === pid && agent.port === port,
      )
      const ofUser = [...agents.values()].filter((agent) => agent.user === user)
      // A user who starts many leaves room for the others. Those that the system does not name may be as many users.
      const maxOfUser = user === undefined ? maxAgents : Math.ceil(maxAgents / 2)
      const isFull = agents.size >= maxAgents || ofUser.length >= maxOfUser
      if (!previous && isFull) {
        throw new Problem('too-many-requests', 'Cannot register: there are too many agents', {
          retryAfterS: 60,
        })
      }
      const session = randomBytes(32).toString('base64url')
      // Its pending requests stay.
      const queue = previous?.[1].queue ?? openQueue()
      if (previous) agents.delete(previous[0])
      queue.flush()
      const { allowlist: _, ...agent } = registration
      agents.set(session, { ...agent, user, queue })
      for (const resolve of waiters.get(agentId) ?? []) resolve()
      return session
    },
    authenticate(session, user) {
      const agent = agents.get(session)
      if (!agent) throw new Problem('agent-unknown', 'Cannot find this agent: register again')
      // The session is a secret of its process: where the system does not name users, it is proof enough.
      if (user !== undefined && agent.user !== undefined && user !== agent.user) {
        throw new Problem('caller-refused', 'Cannot answer: this agent belongs to another user')
      }
      return agent
    },
    forUser,
    async waitFor(agentId, user) {
      const remainingMs = started + startupGraceMs - clock.now()
      const found = findById(agentId, user)
      if (found.length > 0 || remainingMs <= 0) return found
      const { promise, resolve } = Promise.withResolvers<void>()
      waiters.set(agentId, [...(waiters.get(agentId) ?? []), resolve])
      const cancel = clock.after(remainingMs, resolve)
      await promise
      cancel()
      const others = (waiters.get(agentId) ?? []).filter((waiter) => waiter !== resolve)
      if (others.length > 0) waiters.set(agentId, others)
      else waiters.delete(agentId)
      return findById(agentId, user)
    },
    onGone(listener) {
      goneListeners.push(listener)
    },
  }
}
