/** What APIs ask of the registry: to be known, to hear questions, to answer them. Never for pages. */
import { Problem } from '@cardwire/client/protocol'
import type { MiddlewareHandler } from 'hono'
import { answerAgent, pollAgent, registerAgent } from '../agent/protocol.ts'
import type { ApiEnv, Bind } from '../api/bind.ts'
import type { RegistryServices } from './services.ts'
import { userOf } from './user-of.ts'

/** Where the operations below lie. */
export const agentPaths = '/agent/*'

/** Whatever shows that a browser sends the request ends it. */
export const noPages: MiddlewareHandler<ApiEnv> = async ({ req }, next) => {
  const names = [...req.raw.headers.keys()]
  if (names.some((name) => name === 'origin' || name.startsWith('sec-fetch-'))) {
    throw new Problem('management-refused', 'Cannot do this for a page: it is for connectors')
  }
  await next()
}

export function agentRoutes(bind: Bind, services: RegistryServices): void {
  const { directory, inquiries, allowlist, log } = services

  bind(registerAgent, async ({ body }, context) => {
    const user = await userOf(services, context)
    const username = (user === undefined ? undefined : await services.nameOf(user)) ?? body.username
    const session = directory.register({ ...body, username }, user)
    allowlist.learn(body, user)
    const { agentId, port, pid } = body
    log.info('agent registered', { agentId, username, port, pid })
    return { data: { session } }
  })

  bind(pollAgent, async ({ body: { session } }, context) => {
    const { mailbox } = directory.of(session, await userOf(services, context))
    context.env.keepOpen()
    return { data: { questions: [...(await mailbox.take(context.req.raw.signal))] } }
  })

  bind(answerAgent, async ({ body: { session, answers } }, context) => {
    const member = directory.of(session, await userOf(services, context))
    return { data: { taken: inquiries.take(member, answers) } }
  })
}
