/** The session of this agent with a registry: registers, polls for requests and sends the responses. */

import { errorText } from '../../system/error-text.ts'
import {
  type AgentRequest,
  type AgentResponse,
  pollAgent,
  type Registration,
  registerAgent,
  respondAgent,
} from '../../system/ipc/registry-messages.ts'
import type { Log } from '../../system/log.ts'
import { truncateAllowlist } from './bounded-allowlist.ts'
import { type RegistryClient, RegistryRefusal } from './registry-client.ts'
import { createResponseQueue } from './response-queue.ts'

export interface AgentSessionOptions {
  readonly client: Pick<RegistryClient, 'post'>
  readonly registration: () => Registration
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
  let session: string | undefined
  /** Whether the registry has the present registration, or is just receiving it. */
  let isUpToDate = false
  let loggedDropped = 0

  function readRegistration(): Registration {
    const registration = options.registration()
    const { entries, dropped } = truncateAllowlist(registration.allowlist)
    if (dropped > 0 && dropped !== loggedDropped) {
      log.warn('allowlist too long for the registry', { dropped })
    }
    loggedDropped = dropped
    return { ...registration, allowlist: [...entries] }
  }

  async function register(): Promise<string> {
    isUpToDate = true
    try {
      const reply = await client.post(registerAgent, readRegistration())
      session = reply.session
      return reply.session
    } catch (error) {
      isUpToDate = false
      throw error
    }
  }

  const respond = createResponseQueue(async (responses) => {
    try {
      await client.post(respondAgent, { session: session ?? '', responses: [...responses] })
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
    // The previous session stays valid until the new one is there: responses are sent with it.
    const current = isUpToDate && session !== undefined ? session : await register()
    try {
      const { requests } = await client.post(pollAgent, { session: current })
      for (const request of requests) void handle(request)
    } catch (error) {
      if (!(error instanceof RegistryRefusal) || error.problem !== 'agent-unknown') throw error
      // The registry was restarted, or this agent has registered again meanwhile.
      if (session === current) session = undefined
    }
  }

  return {
    async serve(onRegistered, isOver) {
      try {
        await register()
        onRegistered()
        while (!isOver()) await poll()
      } catch (error) {
        session = undefined
        throw error
      }
    },
    refresh() {
      isUpToDate = false
      if (session === undefined) return
      // When this fails, `poll` registers again.
      register().catch((error) =>
        log.warn('registration not updated', { reason: errorText(error) }),
      )
    },
  }
}
