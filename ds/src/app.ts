/** The distribution service: services in, an app out. */
import { Problem, syncDevice } from '@cardwire/client/protocol'
import { binder, problemResponse } from '@cardwire/client/protocol/hono'
import { Hono } from 'hono'
import { authorizer } from './auth/authorize.ts'
import { describeError } from './db/describe-error.ts'
import { catalogs } from './fleet/catalog.ts'
import { auditRoutes } from './routes/audit.ts'
import { type AppEnv, auditing } from './routes/bind.ts'
import { configurationRoutes } from './routes/configurations.ts'
import { counterRoutes } from './routes/counters.ts'
import { crowd } from './routes/crowd.ts'
import { deviceFileRoutes } from './routes/device-files.ts'
import { deviceRoutes } from './routes/devices.ts'
import { downloadRoutes } from './routes/downloads.ts'
import { identityRoutes } from './routes/identity.ts'
import { journal } from './routes/journal.ts'
import { labelRoutes } from './routes/labels.ts'
import { methodsOf } from './routes/methods.ts'
import { organizationRoutes } from './routes/organizations.ts'
import { pagePaths, pages } from './routes/pages.ts'
import { successionRoutes } from './routes/successions.ts'
import { syncRoutes } from './routes/sync.ts'
import { documentRoutes, systemRoutes } from './routes/system.ts'
import { tokenRoutes } from './routes/tokens.ts'
import { versionRoutes } from './routes/versions.ts'
import type { Services } from './services.ts'

export function createApp(services: Services): Hono<AppEnv> {
  const app = new Hono<AppEnv>()

  app.onError((error, context) => {
    const requestId = context.get('requestId')
    if (error instanceof Problem) return problemResponse(error, requestId, context.get('operation'))
    services.log.error('defect', { requestId, error: describeError(error) })
    const internal = new Problem(
      'internal',
      `Cannot answer: the service failed, report request ${requestId}`,
    )
    return problemResponse(internal, requestId, context.get('operation'))
  })
  app.notFound((context) => {
    const { method, path } = context.req
    const allowed = methodsOf(app, path)
    if (allowed.length > 0) {
      const wrong = new Problem(
        'method-not-allowed',
        `Cannot ${method} "${path}": send ${allowed.join(', ')}`,
        { headers: { allow: allowed.join(', ') } },
      )
      return problemResponse(wrong, context.get('requestId'))
    }
    const unknown = new Problem(
      'route-unknown',
      `Cannot ${method} "${path}": there is no such route`,
    )
    return problemResponse(unknown, context.get('requestId'))
  })

  app.use(journal(services))
  for (const path of pagePaths) app.use(path, pages(services))
  app.use(syncDevice.path, crowd(services))

  const bind = auditing(binder(app, authorizer(services)), services)
  tokenRoutes(bind, services)
  downloadRoutes(bind, services)
  versionRoutes(bind, services)
  configurationRoutes(bind, services)
  organizationRoutes(bind, services)
  labelRoutes(bind, services)
  const catalog = catalogs(services)
  syncRoutes(bind, services, catalog)
  // Before the devices: their ids stand where these have names.
  successionRoutes(bind, services)
  deviceFileRoutes(bind, services)
  deviceRoutes(bind, services, catalog)
  counterRoutes(bind, services)
  auditRoutes(bind, services)
  systemRoutes(bind, services)
  if (services.identity.embedded) identityRoutes(bind, services.identity.embedded, services)
  documentRoutes(app, services)
  return app
}
