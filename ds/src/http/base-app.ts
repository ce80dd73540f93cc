/** What the service does around its routes: a request id, the log, CORS, and failures as problems. */
import { Problem, registerDevice } from '@cardwire/client/protocol'
import { createProblemResponse } from '@cardwire/client/protocol/hono'
import { Hono } from 'hono'
import { describeError } from '../db/describe-error.ts'
import { findStorageFault } from '../db/storage-fault.ts'
import { createInternalProblem } from '../rules/problems.ts'
import type { Services } from '../services.ts'
import { findAllowedMethods } from './allowed-methods.ts'
import type { AppEnv } from './bind.ts'
import { allowCors, corsPaths } from './cors.ts'
import { createRefusalRecorder } from './record-refusal.ts'
import { logRequests } from './request-log.ts'

/** When a request may find the database again, at a random moment: all that failed must not come back at once. In seconds. */
const retryS = { min: 2, max: 10 }

const chooseRetryS = ({ random }: Services): number => {
  const [byte = 0] = random.bytes(1)
  return retryS.min + Math.round(((retryS.max - retryS.min) * byte) / 255)
}

/** An app without routes. */
export function createBaseApp(services: Services): Hono<AppEnv> {
  const { log } = services
  const app = new Hono<AppEnv>()
  const recordRefusal = createRefusalRecorder(services)

  app.onError(async (error, context) => {
    const requestId = context.get('requestId')
    const operation = context.get('operation')
    if (error instanceof Problem) {
      if (operation?.name === registerDevice.name) await recordRefusal(context, error)
      return createProblemResponse(error, requestId, operation)
    }
    const fault = findStorageFault(error)
    if (fault !== undefined) {
      log.error('database unavailable', { requestId, error: describeError(error) })
      const problem = new Problem('database-unavailable', `Cannot answer: ${fault}`, {
        retryAfterS: chooseRetryS(services),
      })
      return createProblemResponse(problem, requestId, operation)
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
  for (const path of corsPaths) app.use(path, allowCors(services))
  return app
}
