/** The registry as an app: takes its services, signs nothing and holds no secret. */
import { getDeviceKey, getInfo } from '@cardwire/protocol/connector-system'
import { listAgents } from '@cardwire/protocol/consent'
import { createBinder } from '@cardwire/protocol/hono'
import { Problem } from '@cardwire/protocol/problem'
import type { Context, Hono } from 'hono'
import { createBaseApp } from '../http/base-app.ts'
import { createPublicInfo } from '../http/public-info.ts'
import { type ApiEnv, type Caller, getUser } from '../http/route-types.ts'
import type { Requester } from '../user/consent/consent-service.ts'
import { bindConsentRoutes } from '../user/consent/routes.ts'
import { createBodyAcceptance } from './accept-body.ts'
import { agentPaths, bindAgentRoutes, refusePages } from './agent-routes.ts'
import { readAgentHash, rememberAgent } from './browser-cookie.ts'
import { createConsentBroker } from './consent-broker.ts'
import { limitBodies } from './limit-bodies.ts'
import type { RegistryServices } from './registry-services.ts'

export function createRegistryApp(services: RegistryServices): Hono<ApiEnv> {
  const { log, names, allowlist, agents, clock, ownerOf, consentRequests } = services
  const app = createBaseApp({
    log,
    names,
    ownerOf,
    servesEveryone: true,
    allowlist: allowlist.originsFor,
  })
  app.use(limitBodies(services))
  app.use(agentPaths, refusePages)
  const bind = createBinder(app, acceptAnyone, { verifyBody: createBodyAcceptance(services) })
  const consentService = createConsentBroker(services)

  bind(getInfo, async () => {
    const data = createPublicInfo(services.version)
    return { success: true as const, data, ...data }
  })

  bind(getDeviceKey, async (_, context) => {
    const candidates = agents.forUser(getUser(context.get('account')))
    const [only, another] = new Set(candidates.map(({ pageKey }) => pageKey))
    return { data: another === undefined ? (only ?? null) : null }
  })

  bind(listAgents, async (_, context) => {
    const origin = context.req.header('origin')
    if (origin === undefined) {
      throw new Problem('page-unnamed', 'Cannot name connectors without an origin: pages ask this')
    }
    const page = { origin, ...identifyBrowser(context) }
    return { data: [...(await consentService.findActiveAgents(page))] }
  })

  bindConsentRoutes(
    bind,
    { consentService, clock, log, consentRequests },
    {
      identify: identifyBrowser,
      onConsent(context, agentId) {
        if (getUser(context.get('account')) === undefined) rememberAgent(context, agentId)
      },
    },
  )
  bindAgentRoutes(bind, services)
  return app
}

/** The user where the system says, else what tells browsers apart. */
function identifyBrowser(context: Context<ApiEnv>): Omit<Requester, 'origin'> {
  const user = getUser(context.get('account'))
  if (user !== undefined) return { user }
  return { connectionPort: context.env.peer?.port ?? 0, agentHash: readAgentHash(context) }
}

/** The registry answers pages without a consent: what needs one is asked of the API. */
const acceptAnyone = async (): Promise<Caller> => ({ kind: 'anyone' })
