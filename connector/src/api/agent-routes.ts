/** The connectors that hold a consent for a page, as an API knows them: itself. */
import { listAgents } from '@cardwire/client/protocol'
import type { Bind } from './bind.ts'
import type { Services } from './services.ts'

export function agentRoutes(bind: Bind, { desk }: Pick<Services, 'desk'>): void {
  bind(listAgents, async ({ caller }) => ({
    // Consents are given to pages; no program holds one.
    data: caller.kind === 'page' ? [...(await desk.holders(caller.origin))] : [],
  }))
}
