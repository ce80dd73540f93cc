/** Gives every request an id, writes a line about it to the log, measures it, and lets nothing store its answer. */
import { waitForNews } from '@cardwire/protocol'
import type { MiddlewareHandler } from 'hono'
import { readClientAddress } from '../auth/authorize.ts'
import type { Services } from '../services.ts'
import type { AppEnv } from './bind.ts'
import { describeActor, findPageRoute } from './request-actor.ts'

export function logRequests(services: Services): MiddlewareHandler<AppEnv> {
  const { random, log, metrics } = services
  return async (context, next) => {
    const started = performance.now()
    const requestId = random.uuid()
    context.set('requestId', requestId)
    await next()
    const { res } = context
    res.headers.set('x-request-id', requestId)
    res.headers.set('x-content-type-options', 'nosniff')
    // Many answers hold secrets (RFC 6749 §5.1): what may be stored says so itself.
    if (!res.headers.has('cache-control')) res.headers.set('cache-control', 'no-store')
    const { method } = context.req
    const { status } = res
    // The route's pattern, never the address: a query may hold what does not belong in a log.
    const operation = context.get('operation')
    const route = operation?.path ?? 'other'
    // Tells nothing: a device that waits asks each minute, and how long it was held is no time of the service.
    if (route === waitForNews.path && status === 200) return
    const ms = performance.now() - started
    const address = readClientAddress(services, context)
    log.info('request', {
      ...{ requestId, method, route: operation?.path ?? findPageRoute(context) ?? route },
      ...(operation && { operation: operation.name }),
      ...{ status, ms: Math.round(ms * 100) / 100 },
      ...(address !== '' && { address }),
      ...describeActor(context),
    })
    metrics?.observe({ method, route, status, seconds: ms / 1000 })
  }
}
