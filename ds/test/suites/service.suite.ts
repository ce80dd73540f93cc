/** The whole service over HTTP; every runtime passes the same suite. */
import { afterAll, beforeAll, describe } from 'vitest'
import {
  type DistributionService,
  startDistributionService,
} from '../../../test/bed/distribution-service.ts'
import { readKeystoreFile } from '../../../test/bed/keystore-file.ts'
import { type Leg, runsOn, type SuiteName } from '../../../test/bed/legs.ts'
import type { Runtime } from '../../../test/bed/service-runtimes.ts'
import { makeAdministratorCheap } from '../harness/cheap-passwords.ts'
import { accessSuite } from './access.suite.ts'
import { accountSuite } from './account.suite.ts'
import { administrationSuite } from './administration.suite.ts'
import { administratorSuite } from './administrators.suite.ts'
import { apiClientSuite } from './api-clients.suite.ts'
import { approvalSuite } from './approvals.suite.ts'
import { auditSuite } from './audit.suite.ts'
import { auditedOperationSuite } from './audited-operations.suite.ts'
import { cardFormSuite } from './card-form.suite.ts'
import { configurationSuite } from './configurations.suite.ts'
import { counterSuite } from './counters.suite.ts'
import { deviceSearchSuite } from './device-search.suite.ts'
import { deviceSuite } from './devices.suite.ts'
import { documentSuite } from './documents.suite.ts'
import { downloadSuite } from './downloads.suite.ts'
import { exampleSuite } from './examples.suite.ts'
import { externalLoginSuite } from './external-login.suite.ts'
import { externalProviderSuite } from './external-provider.suite.ts'
import { gatewayCheckSuite } from './gateway-check.suite.ts'
import { groupSuite } from './groups.suite.ts'
import { historySuite } from './history.suite.ts'
import { identitySuite } from './identity.suite.ts'
import { inputSuite } from './input.suite.ts'
import { installerSuite } from './installers.suite.ts'
import { keystoreSuite } from './keystore.suite.ts'
import { keystoreFileSuite } from './keystore-files.suite.ts'
import { labelSuite } from './labels.suite.ts'
import { limitSuite } from './limits.suite.ts'
import { manyDevicesSuite } from './many-devices.suite.ts'
import { manyTagsSuite } from './many-tags.suite.ts'
import { organizationUseSuite } from './organization-use.suite.ts'
import { packageChoiceSuite } from './package-choice.suite.ts'
import { pageUploadSuite } from './page-uploads.suite.ts'
import { pageSuite } from './pages.suite.ts'
import { raceSuite } from './races.suite.ts'
import { reachSuite } from './reach.suite.ts'
import { refusalSuite } from './refusals.suite.ts'
import { replaySuite } from './replay.suite.ts'
import { revisionSuite } from './revisions.suite.ts'
import { roleSuite } from './roles.suite.ts'
import { rolloutSuite } from './rollouts.suite.ts'
import { secretSuite } from './secrets.suite.ts'
import { sessionApiSuite } from './session-api.suite.ts'
import { earlyRefusalSuite, slowPeerSuite } from './slow-peers.suite.ts'
import { stampingSuite } from './stamping.suite.ts'
import { syncSuite } from './sync.suite.ts'
import { systemSuite } from './system.suite.ts'
import { tokenSuite } from './tokens.suite.ts'
import { unusualTextSuite } from './unusual-text.suite.ts'
import { versionSuite } from './versions.suite.ts'
import { waitSuite } from './wait.suite.ts'
import { webhookSuite } from './webhooks.suite.ts'

/** 3 MB that no compression or mistake repeats. */
const installer = Uint8Array.from({ length: 3_000_000 }, (_, at) => (at * 31 + (at >> 8) * 7) % 256)
const keystore = readKeystoreFile()
const pageOrigin = 'https://shop.example'

/**
 * `refusesEarly`: whether it answers before it has received a request that it refuses. `holds`: whether it lets a request
 * wait.
 */
export function serviceSuite(
  leg: Leg,
  runtime: Runtime,
  { refusesEarly = true, holds = true } = {},
): void {
  /** Declares a suite where it runs on this leg: what is not declared does not count as skipped. */
  const inLeg = (suite: SuiteName, title: string, declare: () => void): void => {
    if (runsOn(leg, suite)) describe(title, declare)
  }

  describe('service', () => {
    let service: DistributionService
    const current = () => service

    beforeAll(async () => {
      service = await startDistributionService(
        runtime,
        // The suites share the devices: what one changes may reach those of others.
        {
          DS_CORS: `${pageOrigin}, https://*.shops.example`,
          DS_MAX_REACH: 'any',
          DS_TRUST_PROXY: '127.0.0.1',
        },
        {
          'packages/connector.bin': installer,
          'packages/empty.bin': new Uint8Array(),
          'packages/Žluťoučký "kůň".bin': installer,
        },
        { 'keys/keystore.p12': keystore },
      )
      // Its first request starts a Worker.
      await service.login()
      await makeAdministratorCheap(service)
    })
    afterAll(() => service?.stop())

    inLeg('identity', 'identity provider', () => identitySuite(current))
    inLeg('access', 'access', () => accessSuite(current))
    inLeg('page-uploads', 'uploads in pages', () => pageUploadSuite(current, installer))
    inLeg('account', 'own account', () => accountSuite(current))
    inLeg('session-api', 'operations with a session', () => sessionApiSuite(current))
    inLeg('administrators', 'administrators', () => administratorSuite(current))
    inLeg('versions', 'versions', () => versionSuite(current))
    inLeg('configurations', 'configurations', () => configurationSuite(current, keystore))
    inLeg('card-form', 'form for cards', () => cardFormSuite(current))
    inLeg('labels', 'organizations and labels', () => labelSuite(current))
    inLeg('reach', 'reach', () => reachSuite(current))
    inLeg('history', 'history', () => historySuite(current))
    inLeg('revisions', 'revisions', () => revisionSuite(current))
    inLeg('tokens', 'tokens', () => tokenSuite(current))
    inLeg('gateway-check', 'checks for gateways', () => gatewayCheckSuite(current))
    inLeg('installers', 'installers', () => installerSuite(current, installer))
    inLeg('downloads', 'downloads', () => downloadSuite(current, installer))
    inLeg('devices', 'devices', () => deviceSuite(current))
    inLeg('many-devices', 'changes of many devices', () => {
      manyDevicesSuite(current)
      manyTagsSuite(current)
    })
    inLeg('device-search', 'search of devices', () => deviceSearchSuite(current))
    inLeg('refusals', 'refused registrations', () => refusalSuite(current))
    inLeg('slow-peers', 'slow peers', () => slowPeerSuite(current))
    if (refusesEarly) inLeg('slow-peers', 'early refusals', () => earlyRefusalSuite(current))
    inLeg('sync', 'synchronization', () => syncSuite(current, installer))
    inLeg('keystore', 'keystores', () => keystoreSuite(current, keystore))
    inLeg('keystore-files', 'files of keystores', () => keystoreFileSuite(current, leg))
    inLeg('replay', 'assertions', () => replaySuite(current))
    inLeg('wait', 'waiting for news', () => waitSuite(current, { holds }))
    inLeg('counters', 'counters', () => counterSuite(current))
    inLeg('organization-use', 'use by organization', () => organizationUseSuite(current))
    inLeg('pages', 'pages', () => pageSuite(current, pageOrigin))
    inLeg('administration', 'administration', () => administrationSuite(current))
    inLeg('documents', 'documents', () => documentSuite(current, leg))
    inLeg('system', 'system', () => systemSuite(current))
    inLeg('examples', 'written examples', () => exampleSuite(current))
    inLeg('input', 'bad input', () => inputSuite(current))
    inLeg('unusual-text', 'unusual text', () => unusualTextSuite(current))
    inLeg('audit', 'audit', () => auditSuite(current))
    inLeg('audited-operations', 'audited operations', () => auditedOperationSuite(current))
    inLeg('rollouts', 'rollouts', () => rolloutSuite(current))
    inLeg('groups', 'groups', () => groupSuite(current))
    inLeg('races', 'races', () => raceSuite(current))
    inLeg('api-clients', 'API clients', () => apiClientSuite(current))
    inLeg('limits', 'limits', () => limitSuite(current))
    inLeg('secrets', 'secrets', () => secretSuite(current))
  })

  if (runsOn(leg, 'external-provider')) externalProviderSuite(runtime)
  if (runsOn(leg, 'external-login')) externalLoginSuite(runtime)
  if (runsOn(leg, 'roles')) roleSuite(runtime)
  if (runsOn(leg, 'approvals')) approvalSuite(runtime)
  if (runsOn(leg, 'webhooks')) webhookSuite(leg, runtime)
  if (runsOn(leg, 'stamping')) stampingSuite(runtime)
  if (runsOn(leg, 'package-choice')) packageChoiceSuite(runtime)
}
