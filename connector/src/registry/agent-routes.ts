/** The endpoints for agents: register, poll for requests, respond. Pages are refused. */
import { Problem } from '@cardwire/protocol/problem'
import type { MiddlewareHandler } from 'hono'
import { type ApiEnv, type Bind, getUser } from '../http/route-types.ts'
import { pollAgent, registerAgent, respondAgent } from '../system/ipc/registry-messages.ts'
import type { RegistryServices } from './registry-services.ts'

/** The paths of the operations below. */
export const agentPaths = '/agent/*'

/** Refuses requests with headers that only browsers send. */
export const refusePages: MiddlewareHandler<ApiEnv> = async ({ req }, next) => {
  const names = [...req.raw.headers.keys()]
  if (names.some((name) => name === 'origin' || name.startsWith('sec-fetch-'))) {
    throw new Problem('management-refused', 'Cannot do this for a page: it is for connectors')
  }
  await next()
}

export function bindAgentRoutes(bind: Bind, services: RegistryServices): void {
  const { agents, pendingRequests, allowlist, log } = services

  bind(registerAgent, async ({ body }, context) => {
    const user = getUser(context.get('account'))
    const name = user === undefined ? undefined : await services.findUserName(user)
    const username = name ?? body.username
    const session = agents.register({ ...body, username }, user)
    const { agentId, port, pid } = body
    const invalid = allowlist.add(body, user)
    if (invalid > 0)
      log.warn('allowlist with entries that are not origins', { agentId, invalid, user })
    log.info('agent registered', { agentId, username, port, pid, user })
    return { data: { session } }
  })

  bind(pollAgent, async ({ body: { session } }, context) => {
    const { queue } = agents.authenticate(session, getUser(context.get('account')))
    context.env.keepOpen()
    return { data: { requests: [...(await queue.poll(context.req.raw.signal))] } }
  })

  bind(respondAgent, async ({ body: { session, responses } }, context) => {
    const agent = agents.authenticate(session, getUser(context.get('account')))
    return { data: { accepted: pendingRequests.receive(agent, responses) } }
  })
}
