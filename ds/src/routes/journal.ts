/** Gives every request its id, and writes one line and one measurement about it. */
import type { MiddlewareHandler } from 'hono'
import type { Services } from '../services.ts'
import type { AppEnv } from './bind.ts'

export function journal({ random, log, metrics }: Services): MiddlewareHandler<AppEnv> {
  return async (context, next) => {
    const started = performance.now()
    const requestId = random.uuid()
    context.set('requestId', requestId)
    await next()
    const { res } = context
    res.headers.set('x-request-id', requestId)
    res.headers.set('x-content-type-options', 'nosniff')
    const { method } = context.req
    const { status } = res
    // The pattern, never the address: a query may hold what nobody should read in a log.
    const route = context.get('operation')?.path ?? 'other'
    const ms = performance.now() - started
    log.info('request', { requestId, method, route, status, ms: Math.round(ms * 100) / 100 })
    metrics?.observe({ method, route, status, seconds: ms / 1000 })
  }
}
