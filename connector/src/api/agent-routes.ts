/** The connectors that hold a consent for a page, as an API knows them: itself. */
import { listAgents } from '@cardwire/client/protocol'
import type { Bind } from './bind.ts'
import type { Services } from './services.ts'

type Parts = Pick<Services, 'desk' | 'distribution'>

export function agentRoutes(bind: Bind, { desk, distribution }: Parts): void {
  bind(listAgents, async ({ caller }) => {
    // What clients call this for since 3.6: the allowlist may have been changed for their page a moment ago.
    distribution?.soon()
    // Consents are given to pages; no program holds one.
    return { data: caller.kind === 'page' ? [...(await desk.holders(caller))] : [] }
  })
}
