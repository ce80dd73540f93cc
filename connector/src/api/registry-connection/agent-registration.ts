/** The registration of this agent: sent to the registry when there is none, and when it has changed. */
import { type Registration, registerAgent } from '../../system/ipc/registry-messages.ts'
import type { Log } from '../../system/log.ts'
import { truncateAllowlist } from './bounded-allowlist.ts'
import type { RegistryClient } from './registry-client.ts'

export interface AgentRegistration {
  /** The session that the registry gave last; undefined: none, or it has ended. */
  session(): string | undefined
  /** That session, from a registration of now when there is none or the registration has changed. */
  current(): Promise<string>
  /** Registers. The previous session stays valid until the new one is there: responses are sent with it. */
  register(): Promise<string>
  /** The registration has changed. */
  change(): void
  /** The session has ended. */
  end(): void
}

export interface RegistrationOptions {
  readonly client: Pick<RegistryClient, 'post'>
  readonly registration: () => Registration
  readonly log: Pick<Log, 'warn'>
}

export function createAgentRegistration(options: RegistrationOptions): AgentRegistration {
  const { client, log } = options
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

  return {
    session: () => session,
    current: async () => (isUpToDate && session !== undefined ? session : register()),
    register,
    change() {
      isUpToDate = false
    },
    end() {
      session = undefined
    },
  }
}
