/** Requests that wait for a response: each is sent to one agent, and only that agent can respond to it. */

import type { Clock } from '../system/clock.ts'
import type { AgentRequest, AgentResponse } from '../system/ipc/registry-messages.ts'
import type { Log } from '../system/log.ts'
import type { AgentDirectory, RegisteredAgent } from './agent-directory.ts'
import { createAgentPatience } from './agent-patience.ts'
import { createPendingShares } from './pending-shares.ts'

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
  /** The agent has not responded, and will not. */
  readonly expire: () => void
}

export function createPendingRequests(
  agents: AgentDirectory,
  clock: Clock,
  log: Pick<Log, 'warn'>,
): PendingRequests {
  const pending = new Map<string, PendingRequest>()
  const patience = createAgentPatience(clock, log)
  const shares = createPendingShares(agents)

  agents.onGone((agent) => {
    for (const request of [...pending.values()]) if (isFor(request, agent)) request.expire()
  })

  function sendTo(
    agent: RegisteredAgent,
    body: RequestBody,
  ): Promise<ReceivedResponse | undefined> {
    const id = crypto.randomUUID()
    const { promise, resolve } = Promise.withResolvers<ReceivedResponse | undefined>()
    const { timeoutMs, expire: countTimeout } = patience.limit(agent, { id, kind: body.kind })
    const cancelTimeout = clock.after(timeoutMs, expire)
    pending.set(id, { agent, settle, expire })
    const removeFromQueue = agent.queue.enqueue({ ...body, id }, clock.now() + timeoutMs)
    if (!removeFromQueue) {
      log.warn('agent queue full', { agentId: agent.agentId, user: agent.user })
      settle(undefined)
    }
    return promise

    function expire(): void {
      countTimeout()
      settle(undefined)
    }

    function settle(response: AgentResponse | undefined): void {
      cancelTimeout()
      if (pending.delete(id)) shares.release(agent.user)
      // Delivered after its deadline, it could grant a consent to a page that was already told that no agent answered.
      removeFromQueue?.()
      resolve(response && { agent, response })
    }
  }

  return {
    async send(requests) {
      const take = shares.open()
      const admitted = requests.filter(([agent]) => take(agent.user))
      const refused = requests.length - admitted.length
      if (refused > 0) log.warn('too many pending requests', { pending: pending.size, refused })
      const received = await Promise.all(admitted.map(([agent, body]) => sendTo(agent, body)))
      return received.filter((response) => response !== undefined)
    },
    receive(agent, responses) {
      let accepted = 0
      for (const response of responses) {
        const request = pending.get(response.id)
        if (isFor(request, agent)) {
          request.settle(response)
          patience.countResponse(agent)
          accepted += 1
        } else patience.countLateResponse(agent, response.id)
      }
      return accepted
    },
  }
}

/** An agent that registers again is another entry of the directory with the same queue. */
const isFor = (
  request: PendingRequest | undefined,
  agent: RegisteredAgent,
): request is PendingRequest => request?.agent.queue === agent.queue
