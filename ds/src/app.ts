/** The distribution service: services in, an app out. */
import { syncDevice, waitForNews } from '@cardwire/protocol'
import { createBinder } from '@cardwire/protocol/hono'
import type { Hono } from 'hono'
import { createAuthorizer, createBodyVerifier } from './auth/authorize.ts'
import { createBaseApp } from './http/base-app.ts'
import { type AppEnv, createAuditedBind } from './http/bind.ts'
import { createLoadLimit } from './http/load-shedding.ts'
import { bindAccountRoutes } from './routes/account.ts'
import { bindAdministratorSessionRoutes } from './routes/administrator-sessions.ts'
import { bindAdministratorRoutes } from './routes/administrators.ts'
import { bindAffectedRoutes } from './routes/affected.ts'
import { bindApiClientRoutes } from './routes/api-clients.ts'
import { addDocumentRoutes } from './routes/api-document.ts'
import { bindApprovalRoutes } from './routes/approvals.ts'
import { bindAuditRoutes } from './routes/audit.ts'
import { bindDeviceChangeRoutes } from './routes/change-devices.ts'
import { bindClientTokenRoutes } from './routes/client-tokens.ts'
import { bindConfigurationRoutes } from './routes/configurations.ts'
import { bindCounterRoutes } from './routes/counters.ts'
import { bindKeystoreRoutes } from './routes/device-keystore.ts'
import { bindDeviceListRoutes } from './routes/device-lists.ts'
import { bindDeviceLogRoutes } from './routes/device-logs.ts'
import { bindDeviceSummaryRoutes } from './routes/device-summary.ts'
import { bindDeviceRoutes } from './routes/devices.ts'
import { bindDownloadRoutes } from './routes/downloads.ts'
import { bindExternalAdministratorRoutes } from './routes/external-administrators.ts'
import { addGatewayRoutes } from './routes/gateway-check.ts'
import { bindGroupRoutes } from './routes/groups.ts'
import { bindHaltRoutes } from './routes/halt-rollouts.ts'
import { bindHistoryRoutes } from './routes/history.ts'
import { bindIdentityRoutes } from './routes/identity.ts'
import { bindInstallerRoutes } from './routes/installers.ts'
import { bindKeyRotationRoutes } from './routes/key-rotation.ts'
import { bindKeystoreFileRoutes } from './routes/keystores.ts'
import { bindLabelRoutes } from './routes/labels.ts'
import { bindOrganizationUseRoutes } from './routes/organization-use.ts'
import { bindOrganizationRoutes } from './routes/organizations.ts'
import { bindRefusalRoutes } from './routes/refusals.ts'
import { bindRegistrationRoutes } from './routes/register-device.ts'
import { bindRolloutRoutes } from './routes/rollouts.ts'
import { bindSyncRoutes } from './routes/sync.ts'
import { bindSystemRoutes } from './routes/system.ts'
import { bindTagImportRoutes } from './routes/tag-imports.ts'
import { bindTokenRoutes } from './routes/tokens.ts'
import { bindVersionRoutes } from './routes/versions.ts'
import { bindWaitRoutes } from './routes/wait.ts'
import { bindWebhookRoutes } from './routes/webhooks.ts'
import type { Services } from './services.ts'
import { createAllowedOriginsReader } from './sync/allowed-origins.ts'
import { createCatalogReader } from './sync/catalog.ts'
import { createWaiters } from './sync/waiters.ts'

/** What all devices send: of the requests of a wait, which all send again after the end of a node, only the assertion is work. */
const limited = new Set<string>([syncDevice.name, waitForNews.name])

export function createApp(services: Services): Hono<AppEnv> {
  const readCatalog = createCatalogReader(services)
  const app = createBaseApp(services, createAllowedOriginsReader(services))
  const load = createLoadLimit(services)
  const authorize = createAuthorizer(services, (operation, device, work) => {
    if (device === undefined) return load.runForStranger(work)
    return limited.has(operation.name) ? load.run(device, work) : work()
  })
  const verifyBody = createBodyVerifier(services, authorize)
  const bind = createAuditedBind(createBinder(app, authorize, { verifyBody }), services)
  bindTokenRoutes(bind, services)
  addGatewayRoutes(app, services, authorize)
  bindDownloadRoutes(bind, services, readCatalog)
  bindVersionRoutes(bind, services, readCatalog)
  // Before the route of one rollout, whose path has an id where this has a name.
  bindHaltRoutes(bind, services)
  bindRolloutRoutes(bind, services)
  bindGroupRoutes(bind, services)
  bindInstallerRoutes(bind, services)
  bindKeystoreFileRoutes(bind, services)
  bindConfigurationRoutes(bind, services)
  bindOrganizationRoutes(bind, services)
  bindLabelRoutes(bind, services)
  const waiters = createWaiters(services)
  bindSyncRoutes(bind, services, { readCatalog, load, waiters })
  bindWaitRoutes(bind, services, waiters)
  // Before the devices, whose paths have an id where these have a name.
  bindKeyRotationRoutes(bind, services)
  bindRefusalRoutes(bind, services)
  bindDeviceSummaryRoutes(bind, services)
  bindKeystoreRoutes(bind, services, readCatalog)
  bindDeviceLogRoutes(bind, services)
  bindDeviceListRoutes(bind, services)
  bindRegistrationRoutes(bind, services, readCatalog)
  bindDeviceChangeRoutes(bind, services)
  bindTagImportRoutes(bind, services)
  bindDeviceRoutes(bind, services, readCatalog)
  bindCounterRoutes(bind, services)
  bindWebhookRoutes(bind, services)
  bindOrganizationUseRoutes(bind, services)
  bindAuditRoutes(bind, services)
  bindApprovalRoutes(bind, services)
  bindAccountRoutes(bind, services)
  bindApiClientRoutes(bind, services)
  bindClientTokenRoutes(bind, services)
  bindAffectedRoutes(bind, services)
  bindHistoryRoutes(bind, services)
  bindSystemRoutes(bind, services)
  if (services.identity.embedded) {
    bindIdentityRoutes(bind, services.identity.embedded, services)
    bindAdministratorRoutes(bind, services)
    bindAdministratorSessionRoutes(bind, services)
  } else bindExternalAdministratorRoutes(bind, services)
  addDocumentRoutes(app, services)
  return app
}
