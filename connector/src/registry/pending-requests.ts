/** Requests that wait for a response: each is sent to one agent, and only that agent can respond to it. */

import type { Clock } from '../system/clock.ts'
import type { AgentRequest, AgentResponse } from '../system/ipc/registry-messages.ts'
import type { Log } from '../system/log.ts'
import type { AgentDirectory, RegisteredAgent } from './agent-directory.ts'
import type { AgentQueue } from './agent-queue.ts'

/** How long an agent may take to respond, in milliseconds: it reads a clipboard within one second. */
export const responseTimeoutMs = 3000
/** The same for an agent that let the last request time out, so that it does not delay every page. */
const unresponsiveTimeoutMs = 300
/** Pending requests in all, two hundred for each of two hundred agents; further ones count as denied. */
const maxPending = 40_000

type WithoutId<Request> = Request extends unknown ? Omit<Request, 'id'> : never
export type RequestBody = WithoutId<AgentRequest>

export interface ReceivedResponse {
  readonly agent: RegisteredAgent
  readonly response: AgentResponse
}

export interface PendingRequests {
  /** Sends each agent its request, all at once; resolves with the responses once all have come or the time is up. */
  send(
    requests: readonly (readonly [RegisteredAgent, RequestBody])[],
  ): Promise<readonly ReceivedResponse[]>
  /** Accepts responses of an agent; returns how many of them were waited for. */
  receive(agent: RegisteredAgent, responses: readonly AgentResponse[]): number
}

interface PendingRequest {
  readonly agent: RegisteredAgent
  readonly settle: (response: AgentResponse | undefined) => void
}

export function createPendingRequests(
  agents: AgentDirectory,
  clock: Clock,
  log: Pick<Log, 'warn'>,
): PendingRequests {
  const pending = new Map<string, PendingRequest>()
  const unresponsive = createUnresponsiveAgents(log)

  agents.onGone((agent) => {
    for (const request of [...pending.values()])
      if (isFor(request, agent)) request.settle(undefined)
  })

  function sendTo(
    agent: RegisteredAgent,
    body: RequestBody,
  ): Promise<ReceivedResponse | undefined> {
    const id = crypto.randomUUID()
    const { promise, resolve } = Promise.withResolvers<ReceivedResponse | undefined>()
    const { timeoutMs, expire } = unresponsive.limit(agent, body.kind)
    const cancelTimeout = clock.after(timeoutMs, () => {
      expire()
      settle(undefined)
    })
    pending.set(id, { agent, settle })
    const removeFromQueue = agent.queue.enqueue({ ...body, id }, clock.now() + timeoutMs)
    if (!removeFromQueue) {
      log.warn('agent queue full', { agentId: agent.agentId, user: agent.user })
      settle(undefined)
    }
    return promise

    function settle(response: AgentResponse | undefined): void {
      cancelTimeout()
      pending.delete(id)
      // Delivered after its deadline, it could grant a consent to a page that was already told that no agent answered.
      removeFromQueue?.()
      resolve(response && { agent, response })
    }
  }

  return {
    async send(requests) {
      if (pending.size + requests.length > maxPending) {
        log.warn('too many pending requests', { pending: pending.size })
        return []
      }
      const received = await Promise.all(requests.map(([agent, body]) => sendTo(agent, body)))
      return received.filter((response) => response !== undefined)
    },
    receive(agent, responses) {
      unresponsive.remove(agent)
      const expected = responses.filter(({ id }) => isFor(pending.get(id), agent))
      for (const response of expected) pending.get(response.id)?.settle(response)
      return expected.length
    },
  }
}

/** The agents that let a request time out and have responded to none since. */
function createUnresponsiveAgents(log: Pick<Log, 'warn'>) {
  const queues = new WeakSet<AgentQueue>()
  return {
    /** How long the agent may take for a request that is sent now; `expire` is called when it takes longer. */
    limit({ agentId, user, queue }: RegisteredAgent, kind: RequestBody['kind']) {
      const wasUnresponsive = queues.has(queue)
      return {
        timeoutMs: wasUnresponsive ? unresponsiveTimeoutMs : responseTimeoutMs,
        expire() {
          if (!wasUnresponsive) log.warn('agent does not respond', { agentId, kind, user })
          queues.add(queue)
        },
      }
    },
    remove: ({ queue }: RegisteredAgent) => queues.delete(queue),
  }
}

/** An agent that registers again is another entry of the directory with the same queue. */
const isFor = (request: PendingRequest | undefined, agent: RegisteredAgent) =>
  request?.agent.queue === agent.queue
