/** The registry: services in, an app out. It signs nothing and knows no secret. */
import { getDeviceKey, getInfo, listAgents, Problem } from '@cardwire/client/protocol'
import { binder } from '@cardwire/client/protocol/hono'
import type { Hono } from 'hono'
import type { ApiEnv, Caller } from '../api/bind.ts'
import { consentRoutes } from '../consent/routes.ts'
import { openDoor } from '../door/door.ts'
import { shortInfo } from '../door/short-info.ts'
import { agentPaths, agentRoutes, noPages } from './agent-routes.ts'
import { registryDesk } from './registry-desk.ts'
import type { RegistryServices } from './services.ts'
import { userOf } from './user-of.ts'

export function createRegistry(services: RegistryServices): Hono<ApiEnv> {
  const { log, names, allowlist, directory, now } = services
  const app = openDoor({ log, names, allowlist: allowlist.origins })
  app.use(agentPaths, noPages)
  const bind = binder(app, anyone)
  const desk = registryDesk(services)

  bind(getInfo, async () => {
    const data = shortInfo(services)
    return { success: true as const, data, ...data }
  })

  bind(getDeviceKey, async (_, context) => {
    const members = directory.members(await userOf(services, context))
    const [only, another] = new Set(members.map(({ pageKey }) => pageKey))
    return { data: another === undefined ? (only ?? null) : null }
  })

  bind(listAgents, async (_, context) => {
    const origin = context.req.header('origin')
    if (origin === undefined) {
      throw new Problem('page-unnamed', 'Cannot name connectors without an origin: pages ask this')
    }
    const user = await userOf(services, context)
    return { data: [...(await desk.holders({ origin, user }))] }
  })

  consentRoutes(bind, { desk, clock: now, log }, (context) => userOf(services, context))
  agentRoutes(bind, services)
  return app
}

/** What is for nobody else is asked of the API. */
const anyone = async (): Promise<Caller> => ({ kind: 'anyone' })
