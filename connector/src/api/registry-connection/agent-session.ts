/** The session of this agent with a registry: registers, polls for requests and sends the responses. */

import type { Clock } from '../../system/clock.ts'
import { errorText } from '../../system/error-text.ts'
import {
  type AgentRequest,
  type AgentResponse,
  pollAgent,
  respondAgent,
  timeouts,
} from '../../system/ipc/registry-messages.ts'
import type { Log } from '../../system/log.ts'
import { createAgentRegistration, type RegistrationOptions } from './agent-registration.ts'
import { createPollPacing } from './poll-pacing.ts'
import { RegistryRefusal } from './registry-client.ts'
import { createResponseQueue } from './response-queue.ts'

export interface AgentSessionOptions extends RegistrationOptions {
  readonly handleRequest: (request: AgentRequest) => Promise<AgentResponse>
  readonly log: Pick<Log, 'warn' | 'error'>
  readonly clock: Pick<Clock, 'now'>
  readonly pause: (ms: number) => Promise<void>
}

/** Requests that are handled at the same time; a poll delivers 200. */
const maxOpenRequests = 1000
/** How long a response to a request is waited for, in milliseconds: a registry waits for three seconds. */
const expiryMs = timeouts.requestMs

export interface AgentSession {
  /**
   * Registers, then handles requests until `isOver`. Throws `RegistryRefusal` when the registry refuses the agent, and any
   * other error when it does not answer any more.
   */
  serve(onRegistered: () => void, isOver: () => boolean): Promise<void>
  /** Registers again, because the registration has changed. */
  refresh(): void
}

export function createAgentSession(options: AgentSessionOptions): AgentSession {
  const { client, handleRequest, log, clock, pause } = options
  const registration = createAgentRegistration(options)

  const pace = createPollPacing()
  /** The requests that are being handled, and when they expire. */
  const open = new Map<AgentRequest, number>()

  const putResponse = createResponseQueue(async (responses) => {
    try {
      await client.post(respondAgent, {
        session: registration.session() ?? '',
        responses: [...responses],
      })
    } catch (error) {
      // The page is told that no agent answered.
      log.warn('responses not delivered', { count: responses.length, reason: errorText(error) })
    }
  }, clock)

  async function handle(request: AgentRequest): Promise<void> {
    if (open.size >= maxOpenRequests) dropExpired()
    if (open.size >= maxOpenRequests) {
      log.warn('too many requests of the registry', { kind: request.kind })
      return
    }
    const deadline = clock.now() + expiryMs
    open.set(request, deadline)
    const response = await answer(request)
    open.delete(request)
    if (!putResponse(response, deadline)) {
      log.warn('too many responses wait', { kind: request.kind })
    }
  }

  function dropExpired(): void {
    const now = clock.now()
    for (const [request, deadline] of open) if (deadline <= now) open.delete(request)
  }

  async function answer(request: AgentRequest): Promise<AgentResponse> {
    try {
      return await handleRequest(request)
    } catch (error) {
      log.error('request failed', { kind: request.kind, reason: errorText(error) })
      return { kind: 'denied', id: request.id }
    }
  }

  async function poll(): Promise<void> {
    const session = await registration.current()
    const start = clock.now()
    const requests = await fetchRequests(session)
    for (const request of requests ?? []) void handle(request)
    const result = requests ? (requests.length > 0 ? 'requests' : 'nothing') : 'agent-unknown'
    const pauseMs = pace(result, clock.now() - start)
    if (pauseMs > 0) await pause(pauseMs)
  }

  /** undefined: the registry does not know this agent. */
  async function fetchRequests(session: string): Promise<readonly AgentRequest[] | undefined> {
    try {
      return (await client.post(pollAgent, { session })).requests
    } catch (error) {
      if (!(error instanceof RegistryRefusal) || error.problem !== 'agent-unknown') throw error
      // The registry was restarted, or this agent has registered again meanwhile.
      if (registration.session() === session) registration.end()
      return undefined
    }
  }

  return {
    async serve(onRegistered, isOver) {
      try {
        await registration.register()
        onRegistered()
        while (!isOver()) await poll()
      } catch (error) {
        registration.end()
        throw error
      }
    },
    refresh() {
      registration.change()
      if (registration.session() === undefined) return
      // When this fails, `poll` registers again.
      registration
        .register()
        .catch((error) => log.warn('registration not updated', { reason: errorText(error) }))
    },
  }
}
