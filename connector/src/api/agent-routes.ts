/** Lists the connectors with an active consent for a page; an API knows only itself. */
import { listAgents } from '@cardwire/protocol/consent'
import type { Bind } from '../http/route-types.ts'
import type { ApiServices } from './api-services.ts'

type AgentRouteServices = Pick<ApiServices, 'consentService' | 'distribution'>

export function bindAgentRoutes(
  bind: Bind,
  { consentService, distribution }: AgentRouteServices,
): void {
  bind(listAgents, async ({ caller }) => {
    // Clients since 3.6 call this to have the allowlist synchronized: it may have changed for their page a moment ago.
    distribution?.requestSync()
    // Consents are granted to pages, not to programs.
    return {
      data: caller.kind === 'page' ? [...(await consentService.findActiveAgents(caller))] : [],
    }
  })
}
