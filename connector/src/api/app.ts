/** The API of a user's connector: services in, an app out. */
import { Problem } from '@cardwire/client/protocol'
import { binder, problemResponse } from '@cardwire/client/protocol/hono'
import { Hono } from 'hono'
import { authorizer } from './authorize.ts'
import type { ApiEnv } from './bind.ts'
import { certificateRoutes } from './certificate-routes.ts'
import { eventStream } from './event-stream.ts'
import { gate, manners } from './gate.ts'
import { moduleRoutes } from './module-routes.ts'
import { readerRoutes } from './reader-routes.ts'
import type { Services } from './services.ts'
import { systemRoutes } from './system-routes.ts'

export function createApi(services: Services): Hono<ApiEnv> {
  const { log, pageKey } = services
  const app = new Hono<ApiEnv>()

  app.onError((error, context) => {
    const requestId = context.get('requestId')
    const operation = context.get('operation')
    if (error instanceof Problem) return problemResponse(error, requestId, operation, 'wire')
    log.error('defect', { requestId, message: error.message, stack: error.stack?.split('\n') })
    const internal = new Problem(
      'internal',
      `Cannot answer: the connector failed, look for ${requestId} in its log`,
    )
    return problemResponse(internal, requestId, operation, 'wire')
  })
  app.notFound((context) => {
    const unknown = new Problem(
      'route-unknown',
      `Cannot ${context.req.method} this: there is no such route`,
    )
    return problemResponse(unknown, context.get('requestId'), undefined, 'wire')
  })

  app.use(async (context, next) => {
    const requestId = crypto.randomUUID()
    context.set('requestId', requestId)
    const started = performance.now()
    await next()
    const { headers, status } = context.res
    headers.set('cache-control', 'no-store')
    headers.set('vary', 'Origin')
    headers.set('x-content-type-options', 'nosniff')
    const route = context.get('operation')?.path ?? 'other'
    const ms = Math.round((performance.now() - started) * 100) / 100
    log.debug('request', { requestId, method: context.req.method, route, status, ms })
  })
  app.use(gate(services))
  app.use(manners(services))

  const sign = (data: unknown) => ({ signature: pageKey.sign(JSON.stringify(data)) })
  const bind = binder(app, authorizer(services), sign)
  systemRoutes(bind, services)
  eventStream(bind, services)
  readerRoutes(bind, services)
  moduleRoutes(bind, services)
  certificateRoutes(bind, services)
  return app
}
