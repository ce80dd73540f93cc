/** The app that every server of the connector starts from: request checks, request ids, and errors as problems. */

import { createProblemResponse } from '@cardwire/protocol/hono'
import { Problem } from '@cardwire/protocol/problem'
import { Hono } from 'hono'
import { describeError, isDiskFull, isFileError } from '../system/file-error.ts'
import { checkHeaders, checkHostAndCors, checkOwner, type RequestPolicy } from './request-checks.ts'
import type { ApiEnv } from './route-types.ts'

/** An app without routes. */
export function createBaseApp(policy: RequestPolicy): Hono<ApiEnv> {
  const { log } = policy
  const app = new Hono<ApiEnv>()

  app.onError((error, context) => {
    const requestId = context.get('requestId')
    const operation = context.get('operation')
    if (error instanceof Problem) return createProblemResponse(error, requestId, operation, 'wire')
    if (isFileError(error)) {
      log.error('disk not usable', { requestId, reason: describeError(error) })
      return createProblemResponse(createDiskProblem(error), requestId, operation, 'wire')
    }
    log.error('defect', { requestId, message: error.message, stack: error.stack?.split('\n') })
    const problem = new Problem(
      'internal',
      `Cannot respond: the connector failed, look for ${requestId} in its log`,
    )
    return createProblemResponse(problem, requestId, operation, 'wire')
  })
  app.notFound((context) => {
    const problem = new Problem(
      'route-unknown',
      `Cannot ${context.req.method} this: there is no such route`,
    )
    return createProblemResponse(problem, context.get('requestId'), undefined, 'wire')
  })

  app.use(async (context, next) => {
    const requestId = crypto.randomUUID()
    context.set('requestId', requestId)
    const startedMs = performance.now()
    await next()
    const { headers, status } = context.res
    headers.set('cache-control', 'no-store')
    headers.set('vary', 'Origin')
    headers.set('x-content-type-options', 'nosniff')
    const route = context.get('operation')?.path ?? 'other'
    const ms = Math.round((performance.now() - startedMs) * 100) / 100
    log.debug('request', { requestId, method: context.req.method, route, status, ms })
  })
  app.use(checkOwner(policy))
  app.use(checkHostAndCors(policy))
  app.use(checkHeaders(policy))
  return app
}

/** Without the paths of the user. */
const createDiskProblem = (error: unknown): Problem =>
  isDiskFull(error)
    ? new Problem('disk-full', 'Cannot do this: the disk of the connector is full')
    : new Problem('disk-failed', 'Cannot do this: the connector cannot use its disk')
