/** What the registry works with; the command that runs it provides these. */
import type { RequestPolicy } from '../http/request-checks.ts'
import type { FindPeerOwner } from '../system/peer-owner.ts'
import type { RequestLimits } from '../user/consent/consent-service.ts'
import type { AgentDirectory } from './agent-directory.ts'
import type { RegistryAllowlist } from './allowlist.ts'
import type { PendingRequests } from './pending-requests.ts'

export interface RegistryServices extends Pick<RequestPolicy, 'log' | 'names'> {
  readonly version: string
  /** Milliseconds since 1970, UTC. */
  readonly clock: () => number
  readonly consentRequests: RequestLimits
  readonly agents: AgentDirectory
  readonly pendingRequests: PendingRequests
  readonly allowlist: RegistryAllowlist
  readonly ownerOf: FindPeerOwner
  /** The account name of a user; undefined where the system does not say. */
  readonly findUserName: (user: string) => Promise<string | undefined>
}
