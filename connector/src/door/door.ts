/** What every server of the connector does around its routes: the checks, a request id, and failures as problems. */
import { Problem } from '@cardwire/client/protocol'
import { problemResponse } from '@cardwire/client/protocol/hono'
import { Hono } from 'hono'
import type { ApiEnv } from '../api/bind.ts'
import { type DoorParts, gate, manners } from './gate.ts'

/** An app without routes. */
export function openDoor(parts: DoorParts): Hono<ApiEnv> {
  const { log } = parts
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
  app.use(gate(parts))
  app.use(manners(parts))
  return app
}
