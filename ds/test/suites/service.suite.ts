/** The whole service over HTTP; every runtime passes the same suite. */
import { afterAll, beforeAll, describe } from 'vitest'
import {
  type DistributionService,
  startDistributionService,
} from '../../../test/bed/distribution-service.ts'
import type { Runtime } from '../../../test/bed/service-runtimes.ts'
import { accessSuite } from './access.suite.ts'
import { accountSuite } from './account.suite.ts'

import { administrationSuite } from './administration.suite.ts'

import { administratorSuite } from './administrators.suite.ts'

import { auditSuite } from './audit.suite.ts'
import { cardFormSuite } from './card-form.suite.ts'
import { configurationSuite } from './configurations.suite.ts'
import { counterSuite } from './counters.suite.ts'
import { deviceSearchSuite } from './device-search.suite.ts'
import { deviceSuite } from './devices.suite.ts'
import { downloadSuite } from './downloads.suite.ts'
import { exampleSuite } from './examples.suite.ts'
import { externalLoginSuite } from './external-login.suite.ts'
import { externalProviderSuite } from './external-provider.suite.ts'
import { identitySuite } from './identity.suite.ts'
import { inputSuite } from './input.suite.ts'
import { installerSuite } from './installers.suite.ts'
import { keystoreSuite } from './keystore.suite.ts'
import { labelSuite } from './labels.suite.ts'
import { limitSuite } from './limits.suite.ts'
import { packageChoiceSuite } from './package-choice.suite.ts'
import { pageUploadSuite } from './page-uploads.suite.ts'
import { pageSuite } from './pages.suite.ts'
import { raceSuite } from './races.suite.ts'
import { reachSuite } from './reach.suite.ts'
import { refusalSuite } from './refusals.suite.ts'
import { replaySuite } from './replay.suite.ts'
import { revisionSuite } from './revisions.suite.ts'
import { roleSuite } from './roles.suite.ts'
import { secretSuite } from './secrets.suite.ts'
import { sessionApiSuite } from './session-api.suite.ts'
import { earlyRefusalSuite, slowPeerSuite } from './slow-peers.suite.ts'
import { stampingSuite } from './stamping.suite.ts'
import { syncSuite } from './sync.suite.ts'
import { systemSuite } from './system.suite.ts'
import { tokenSuite } from './tokens.suite.ts'
import { unusualTextSuite } from './unusual-text.suite.ts'
import { versionSuite } from './versions.suite.ts'

/** 3 MB that no compression or mistake repeats. */
const installer = Uint8Array.from({ length: 3_000_000 }, (_, at) => (at * 31 + (at >> 8) * 7) % 256)
const keystore = new TextEncoder().encode('bytes of a keystore')
const pageOrigin = 'https://shop.example'

/** `refusesEarly`: whether it answers before it has received a request that it refuses. */
export function serviceSuite(runtime: Runtime, { refusesEarly = true } = {}): void {
  describe('service', () => {
    let service: DistributionService
    const current = () => service

    beforeAll(async () => {
      service = await startDistributionService(
        runtime,
        { DS_CORS: `${pageOrigin}, https://*.shops.example` },
        {
          'packages/connector.bin': installer,
          'packages/empty.bin': new Uint8Array(),
          'packages/Žluťoučký "kůň".bin': installer,
          'keys/keystore.p12': keystore,
        },
      )
    })
    afterAll(() => service?.stop())

    describe('identity provider', () => identitySuite(current))
    describe('access', () => accessSuite(current))
    describe('uploads in pages', () => pageUploadSuite(current, installer))
    describe('own account', () => accountSuite(current))
    describe('operations with a session', () => sessionApiSuite(current))
    describe('administrators', () => administratorSuite(current))
    describe('versions', () => versionSuite(current))
    describe('configurations', () => configurationSuite(current, keystore))
    describe('form for cards', () => cardFormSuite(current))
    describe('organizations and labels', () => labelSuite(current))
    describe('reach', () => reachSuite(current))
    describe('revisions', () => revisionSuite(current))
    describe('tokens', () => tokenSuite(current))
    describe('installers', () => installerSuite(current, installer))
    describe('downloads', () => downloadSuite(current, installer))
    describe('devices', () => deviceSuite(current))
    describe('search of devices', () => deviceSearchSuite(current))
    describe('refused registrations', () => refusalSuite(current))
    describe('slow peers', () => slowPeerSuite(current))
    if (refusesEarly) describe('early refusals', () => earlyRefusalSuite(current))
    describe('synchronization', () => syncSuite(current, installer))
    describe('keystores', () => keystoreSuite(current, keystore))
    describe('assertions', () => replaySuite(current))
    describe('counters', () => counterSuite(current))
    describe('pages', () => pageSuite(current, pageOrigin))
    describe('administration', () => administrationSuite(current))
    describe('system', () => systemSuite(current))
    describe('written examples', () => exampleSuite(current))
    describe('bad input', () => inputSuite(current))
    describe('unusual text', () => unusualTextSuite(current))
    describe('audit', () => auditSuite(current))
    describe('races', () => raceSuite(current))
    describe('limits', () => limitSuite(current))
    describe('secrets', () => secretSuite(current))
  })

  externalProviderSuite(runtime)
  externalLoginSuite(runtime)
  roleSuite(runtime)
  stampingSuite(runtime)
  packageChoiceSuite(runtime)
}
