/** With a distribution service: its tokens, its allowlist, and a day without it. */

import { applicationTokens } from '@cardwire/server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { getAmount } from '../../../test/bed/amounts.ts'
import {
  type DistributionService,
  startDistributionService,
} from '../../../test/bed/distribution-service.ts'
import { proves } from '../../../test/bed/proves.ts'
import { runtimes } from '../../../test/bed/service-runtimes.ts'
import {
  browsers,
  browsersOf,
  openUserSession,
  readReaders,
  type UserSession,
  waitForState,
} from './user-session.ts'
import { newestVersion } from './version.ts'

/** A run of some takes the first: the suites of the service prove each runtime, and other journeys each browser. */
const pairs = [
  ...['Chromium Node', 'Firefox Deno', 'Chromium workerd'],
  ...['Firefox Node', 'Chromium Deno', 'Firefox workerd'],
].slice(0, getAmount('pairs of browser and runtime of the service'))

const opened = browsers.filter(([name]) => pairs.some((pair) => pair.startsWith(name)))

describe.each(opened)('%s', (name, openBrowser) => {
  const own = Object.entries(runtimes).filter(([runtime]) => pairs.includes(`${name} ${runtime}`))
  describe.each(own)('with the service on %s', (_runtime, runtime) => {
    let service: DistributionService
    let desk: UserSession
    let version: string
    beforeAll(async () => {
      service = await startDistributionService(runtime)
      version = await newestVersion()
      const { installationApiKey } = await service.registerVersion(version)
      desk = await openUserSession(openBrowser, {
        CARDWIRE_CORS: '',
        CARDWIRE_JWKS: '',
        CARDWIRE_DS_URL: service.url,
        CARDWIRE_INSTALLATION_KEY: installationApiKey,
      })
      await service.allow(version, [desk.shop.everyPage])
      await desk.connector.command('sync')
      const { apiKey } = await service.createLabel()
      const tokens = applicationTokens({ dsUrl: service.url, apiKey })
      desk.shop.token = () => tokens.token()
    })
    afterAll(async () => {
      await desk?.close()
      await service?.stop()
    })

    test('a first visit works with a token and an allowlist of the service', async () => {
      const { tab } = await desk.visit()
      expect(await readReaders(tab)).toBe('Cardwire Virtual Reader: no card')
      expect(desk.shop.given()).toBe(1)
      await tab.close()
    })

    test('an open page loses access when its origin is removed from the allowlist', async () => {
      proves('journey-origin-removed')
      const { page, tab } = await desk.visit()
      await service.allow(version, ['https://other.example'])
      await desk.connector.command('sync')
      await waitForState(tab, 'origin-refused')
      expect(await tab.text('#says')).toMatch(/allowlist/)
      const again = await desk.browser.open(page.address(desk.connector.registryPort))
      await waitForState(again, 'origin-refused')
      await service.allow(version, [desk.shop.everyPage])
      await desk.connector.command('sync')
      await again.click('#again')
      await waitForState(again, 'watching')
      await again.close()
      await tab.close()
    })

    test('a page works while the service cannot be reached', async () => {
      proves('journey-offline')
      const { page, tab } = await desk.visit()
      await service.pause()
      // The connector goes on with what it was told last, also after a start; so does a page that has its token.
      await desk.connector.stop()
      await desk.connector.start()
      await tab.close()
      const again = await desk.browser.open(page.address(desk.connector.registryPort))
      await waitForState(again, 'watching')
      // A back end without a token says so, and whose fault it is.
      const { token } = applicationTokens({ dsUrl: service.url, apiKey: crypto.randomUUID() })
      desk.shop.token = () => token()
      await again.reload()
      await waitForState(again, 'no token')
      expect(await again.text('#says')).toMatch(/Cannot get a token from .*: it cannot be reached/)
      await again.close()
    })
  })
})

describe.each(browsersOf('renewal'))('%s', (_, openBrowser) => {
  let desk: UserSession
  beforeAll(async () => {
    desk = await openUserSession(openBrowser)
  })
  afterAll(() => desk?.close())

  test('a page that watches renews its token when it expires', async () => {
    proves('journey-token-expires')
    // A connector bears with clocks that are half a minute apart: this one lasts four seconds more.
    desk.shop.token = () => desk.signer.token(-26)
    const { page, tab } = await desk.visit()
    const given = desk.shop.given()
    // The stream ends with its token; the page fetches another, and misses nothing.
    await expect.poll(() => desk.shop.given()).toBeGreaterThan(given)
    await desk.connector.insert('3B951381018073FF01000B')
    await expect.poll(() => readReaders(tab)).toMatch(/3B951381018073FF01000B/)
    await tab.close()

    const stubborn = await desk.browser.open(
      page.address(desk.connector.registryPort, { renew: 'no' }),
    )
    await waitForState(stubborn, 'watching')
    await waitForState(stubborn, 'token-expired')
    expect(await stubborn.text('#says')).toMatch(/token of the page has expired/)
    await stubborn.close()
  })
})
