/** The API of a user's connector as an app: takes its services. */
import { createBinder } from '@cardwire/protocol/hono'
import type { Hono } from 'hono'
import { createBaseApp } from '../http/base-app.ts'
import type { ApiEnv } from '../http/route-types.ts'
import { backgroundClock } from '../system/clock.ts'
import { bindConsentRoutes } from '../user/consent/routes.ts'
import { createAccessWatch } from './access-watch.ts'
import { bindAgentRoutes } from './agent-routes.ts'
import type { ApiServices } from './api-services.ts'
import { createAuthorizer } from './authorize.ts'
import { bindCardRoutes } from './card-routes.ts'
import { bindCertificateRoutes } from './certificate-routes.ts'
import { counterRoutes } from './counters/routes.ts'
import { bindFileRoutes } from './file-routes.ts'
import { bindFileTransferRoutes } from './file-transfer-routes.ts'
import { bindFileTypeRoutes } from './file-type-routes.ts'
import { bindIdentityRoutes } from './identity-routes.ts'
import { createKeptPins } from './kept-pins.ts'
import { bindModuleRoutes } from './module-routes.ts'
import { createRequirePage } from './page-watch.ts'
import { bindPaymentRoutes } from './payment-routes.ts'
import { bindPrintRoutes } from './print-routes.ts'
import { bindRawRoutes } from './raw-routes.ts'
import { bindReaderEvents } from './reader-event-routes.ts'
import { bindReaderRoutes } from './reader-routes.ts'
import { bindSigningRoutes } from './signing-routes.ts'
import { bindSystemRoutes } from './system-routes.ts'
import { bindTrustStoreRoutes } from './trust-store-routes.ts'
import { bindUnsupportedCardRoutes } from './unsupported-card-routes.ts'
import { bindValidationRoutes } from './validation-routes.ts'
import { createWorkQueue } from './work-queue.ts'

/** Files are in memory as a whole: so many at once, the others wait. */
const maxFiles = 2
/** Folders that are read as a whole at once. */
const maxLists = 2

export function createApi(services: ApiServices): Hono<ApiEnv> {
  const { deviceEncryptionKey } = services
  const app = createBaseApp({ ...services, servesEveryone: false })
  const signEnvelope = (data: unknown) => ({
    signature: deviceEncryptionKey.sign(JSON.stringify(data)),
  })
  const authorize = createAuthorizer(services)
  const { requireAccess } = createAccessWatch(services)
  const bind = createBinder(app, authorize, {
    signEnvelope,
    // A body may take half a minute, in which the consent of its page can end.
    verifyBody: async (context) => {
      const caller = context.get('caller')
      if (caller.kind !== 'anyone') requireAccess(caller)
    },
  })
  bindSystemRoutes(bind, services)
  bindConsentRoutes(bind, services)
  bindAgentRoutes(bind, services)
  bindReaderEvents(bind, services)
  bindReaderRoutes(bind, services)
  bindModuleRoutes(bind, services)
  const keptPins = createKeptPins(services, backgroundClock)
  app.use('/v3/modules/:module/apps/*', async (context, next) => {
    // A card, or the library of one, may be silent for longer than a server keeps a silent connection.
    context.env.keepOpen()
    await next()
  })
  bindCardRoutes(bind, { ...services, keptPins })
  bindIdentityRoutes(bind, services)
  bindSigningRoutes(bind, { ...services, keptPins })
  bindValidationRoutes(bind, services)
  const requirePage = createRequirePage(services)
  const queueWork = createWorkQueue(maxFiles, requirePage)
  // Separate: a list does not wait for files that arrive slowly.
  const queueLists = createWorkQueue(maxLists, requirePage)
  bindFileTypeRoutes(bind, services, queueLists)
  bindFileRoutes(bind, services, { queueWork, queueLists })
  bindFileTransferRoutes(bind, services, queueWork)
  counterRoutes(bind, services)
  bindCertificateRoutes(bind, services)
  bindPaymentRoutes(bind, { ...services, keptPins })
  bindRawRoutes(bind, services)
  bindPrintRoutes(bind, services)
  bindTrustStoreRoutes(bind, services)
  bindUnsupportedCardRoutes(app, authorize)
  return app
}
