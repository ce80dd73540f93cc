/** The API of a user's connector: services in, an app out. */
import { binder } from '@cardwire/client/protocol/hono'
import type { Hono } from 'hono'
import { consentRoutes } from '../consent/routes.ts'
import { counterRoutes } from '../counters/routes.ts'
import { openDoor } from '../door/door.ts'
import { agentRoutes } from './agent-routes.ts'
import { authorizer } from './authorize.ts'
import type { ApiEnv } from './bind.ts'
import { certificateRoutes } from './certificate-routes.ts'
import { eventStream } from './event-stream.ts'
import { moduleRoutes } from './module-routes.ts'
import { readerRoutes } from './reader-routes.ts'
import type { Services } from './services.ts'
import { systemRoutes } from './system-routes.ts'

export function createApi(services: Services): Hono<ApiEnv> {
  const { pageKey } = services
  const app = openDoor(services)
  const sign = (data: unknown) => ({ signature: pageKey.sign(JSON.stringify(data)) })
  const bind = binder(app, authorizer(services), sign)
  systemRoutes(bind, services)
  consentRoutes(bind, services)
  agentRoutes(bind, services)
  eventStream(bind, services)
  readerRoutes(bind, services)
  moduleRoutes(bind, services)
  counterRoutes(bind, services)
  certificateRoutes(bind, services)
  return app
}
