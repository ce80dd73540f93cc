/** The registered agents: their sessions, their users, and how long they count as running. */
import { randomBytes } from 'node:crypto'
import { Problem } from '@cardwire/protocol/problem'
import type { Clock } from '../system/clock.ts'
import { type Registration, timeouts } from '../system/ipc/registry-messages.ts'
import { admitAgent } from './agent-admission.ts'
import { type AgentQueue, createAgentQueue } from './agent-queue.ts'
import { createRegistrationWaiters } from './registration-waiters.ts'

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
  const waiters = createRegistrationWaiters(clock)

  const forUser = (user: string | undefined) =>
    [...agents.values()].filter((agent) => mayAnswer(agent, user))
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
      const { allowlist: _, ...described } = registration
      const previous = admitAgent(agents, { ...described, user }, maxAgents)
      // Its pending requests stay.
      const queue = previous?.[1].queue ?? openQueue()
      if (previous) agents.delete(previous[0])
      queue.flush()
      const session = randomBytes(32).toString('base64url')
      agents.set(session, { ...described, user, queue })
      waiters.notify(registration.agentId)
      return session
    },
    authenticate(session, user) {
      const agent = agents.get(session)
      if (!agent) throw new Problem('agent-unknown', 'Cannot find this agent: register again')
      // The session is a secret of its process: where the system does not name users, it is proof enough.
      if (user !== undefined && agent.user !== undefined && user !== agent.user) {
        throw new Problem('caller-refused', 'Cannot respond: this agent belongs to another user')
      }
      return agent
    },
    forUser,
    async waitFor(agentId, user) {
      const remainingMs = started + startupGraceMs - clock.now()
      const found = findById(agentId, user)
      if (found.length > 0 || remainingMs <= 0) return found
      await waiters.wait(agentId, remainingMs)
      return findById(agentId, user)
    },
    onGone(listener) {
      goneListeners.push(listener)
    },
  }
}

/** Whether an agent may answer a page of this user: where the system names both, it is the same user's. */
const mayAnswer = (agent: RegisteredAgent, user: string | undefined): boolean =>
  agent.user === undefined || user === undefined || agent.user === user
