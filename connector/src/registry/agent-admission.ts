/** Which agents may register: an agent id belongs to one user, and no user takes the room of the others. */
import { Problem } from '@cardwire/protocol/problem'

/** What the admission of an agent depends on. */
export interface AgentProcess {
  readonly agentId: string
  readonly pid: number
  readonly port: number
  /** The user whose process it is, as the system names users; undefined where the system does not say. */
  readonly user: string | undefined
}

/**
 * Returns the session and the entry of the same process, which the new session replaces. Throws `caller-refused` for an agent id that may
 * be another user's, and `too-many-requests` beyond `maxAgents`.
 */
export function admitAgent<A extends AgentProcess>(
  sessions: ReadonlyMap<string, A>,
  { agentId, pid, port, user }: AgentProcess,
  maxAgents: number,
): readonly [session: string, agent: A] | undefined {
  const sameId = [...sessions].filter(([, agent]) => agent.agentId === agentId)
  // Users whom the system tells apart have requests of their own: an agent id taken by another user does no harm.
  const ofOthers = sameId.filter(([, agent]) => agent.user !== user)
  if (ofOthers.some(([, agent]) => user === undefined || agent.user === undefined)) {
    throw new Problem('caller-refused', 'Cannot register: this agent belongs to another user')
  }
  const [previous] = sameId.filter(
    ([, agent]) => agent.user === user && agent.pid === pid && agent.port === port,
  )
  const ofUser = [...sessions.values()].filter((agent) => agent.user === user)
  // A user who starts many leaves room for the others. Those that the system does not name may be as many users.
  const maxOfUser = user === undefined ? maxAgents : Math.ceil(maxAgents / 2)
  const isFull = sessions.size >= maxAgents || ofUser.length >= maxOfUser
  if (!previous && isFull) {
    throw new Problem('too-many-requests', 'Cannot register: there are too many agents', {
      retryAfterS: 60,
    })
  }
  return previous
}
