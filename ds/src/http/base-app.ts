/** What the service does around its routes: a request id, the log, CORS, and failures as problems. */
import { Problem, registerDevice } from '@cardwire/protocol'
import { createProblemResponse } from '@cardwire/protocol/hono'
import { Hono } from 'hono'
import { describeError } from '../db/describe-error.ts'
import { createInternalProblem } from '../rules/problems.ts'
import type { Services } from '../services.ts'
import { findAllowedMethods } from './allowed-methods.ts'
import type { AppEnv } from './bind.ts'
import { allowCors, corsPaths, type ReadAllowedOrigins } from './cors.ts'
import { createRefusalRecorder } from './record-refusal.ts'
import { logRequests } from './request-log.ts'
import { createStorageProblem } from './storage-problem.ts'

/** An app without routes. */
export function createBaseApp(
  services: Services,
  readAllowedOrigins: ReadAllowedOrigins,
): Hono<AppEnv> {
  const { log, random } = services
  const app = new Hono<AppEnv>()
  const recordRefusal = createRefusalRecorder(services)

  app.onError(async (error, context) => {
    const requestId = context.get('requestId')
    const operation = context.get('operation')
    if (error instanceof Problem) {
      if (operation?.name === registerDevice.name) await recordRefusal(context, error)
      return createProblemResponse(error, requestId, operation)
    }
    const unavailable = createStorageProblem(error, random)
    if (unavailable) {
      log.error('database unavailable', { requestId, error: describeError(error) })
      return createProblemResponse(unavailable, requestId, operation)
    }
    log.error('defect', { requestId, error: describeError(error) })
    return createProblemResponse(createInternalProblem(requestId), requestId, operation)
  })

  app.notFound((context) => {
    const { method, path } = context.req
    const allowed = findAllowedMethods(app, path).join(', ')
    const problem =
      allowed === ''
        ? new Problem('route-unknown', `Cannot ${method} "${path}": there is no such route`)
        : new Problem('method-not-allowed', `Cannot ${method} "${path}": send ${allowed}`, {
            headers: { allow: allowed },
          })
    return createProblemResponse(problem, context.get('requestId'))
  })

  app.use(logRequests(services))
  for (const path of corsPaths) app.use(path, allowCors(services, readAllowedOrigins))
  return app
}
