/** The distribution service: services in, an app out. */
import { Problem } from '@cardwire/client/protocol'
import { binder, problemResponse } from '@cardwire/client/protocol/hono'
import { Hono } from 'hono'
import { authorizer } from './auth/authorize.ts'
import { describeError } from './db/describe-error.ts'
import type { AppEnv } from './routes/bind.ts'
import { configurationRoutes } from './routes/configurations.ts'
import { downloadRoutes } from './routes/downloads.ts'
import { identityRoutes } from './routes/identity.ts'
import { journal } from './routes/journal.ts'
import { labelRoutes } from './routes/labels.ts'
import { organizationRoutes } from './routes/organizations.ts'
import { pagePaths, pages } from './routes/pages.ts'
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
    const unknown = new Problem(
      'route-unknown',
      `Cannot ${method} "${path}": there is no such route`,
    )
    return problemResponse(unknown, context.get('requestId'))
  })

  app.use(journal(services))
  for (const path of pagePaths) app.use(path, pages(services))

  const bind = binder(app, authorizer(services))
  tokenRoutes(bind, services)
  downloadRoutes(bind, services)
  versionRoutes(bind, services)
  configurationRoutes(bind, services)
  organizationRoutes(bind, services)
  labelRoutes(bind, services)
  systemRoutes(bind, services)
  if (services.identity.embedded) identityRoutes(bind, services.identity.embedded, services)
  documentRoutes(app, services)
  return app
}
