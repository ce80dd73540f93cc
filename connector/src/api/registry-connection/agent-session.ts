/** The session of this agent with a registry: registers, polls for requests and sends the responses. */

import { errorText } from '../../system/error-text.ts'
import {
  type AgentRequest,
  type AgentResponse,
  pollAgent,
  respondAgent,
} from '../../system/ipc/registry-messages.ts'
import type { Log } from '../../system/log.ts'
import { createAgentRegistration, type RegistrationOptions } from './agent-registration.ts'
import { RegistryRefusal } from './registry-client.ts'
import { createResponseQueue } from './response-queue.ts'

export interface AgentSessionOptions extends RegistrationOptions {
  readonly handleRequest: (request: AgentRequest) => Promise<AgentResponse>
  readonly log: Pick<Log, 'warn' | 'error'>
}

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
  const { client, handleRequest, log } = options
  const registration = createAgentRegistration(options)

  const respond = createResponseQueue(async (responses) => {
    try {
      await client.post(respondAgent, {
        session: registration.session() ?? '',
        responses: [...responses],
      })
    } catch (error) {
      // The page is told that no agent answered.
      log.warn('responses not delivered', { count: responses.length, reason: errorText(error) })
    }
  })

  async function handle(request: AgentRequest): Promise<void> {
    try {
      respond(await handleRequest(request))
    } catch (error) {
      log.error('request failed', { kind: request.kind, reason: errorText(error) })
      respond({ kind: 'denied', id: request.id })
    }
  }

  async function poll(): Promise<void> {
    const session = await registration.current()
    try {
      const { requests } = await client.post(pollAgent, { session })
      for (const request of requests) void handle(request)
    } catch (error) {
      if (!(error instanceof RegistryRefusal) || error.problem !== 'agent-unknown') throw error
      // The registry was restarted, or this agent has registered again meanwhile.
      if (registration.session() === session) registration.end()
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
