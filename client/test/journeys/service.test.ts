/** With a distribution service: its tokens, its allowlist, and a day without it. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { applicationTokens } from '../../src/server.ts'
import { browsers, type Desk, newDesk, readersOf, stands } from './desk.ts'
import { type DistributionService, runtimes, startService } from './distribution-service.ts'
import { newestVersion } from './version.ts'

describe.each(browsers)('%s', (_, openBrowser) => {
  describe.each(Object.entries(runtimes))('with the service on %s', (_runtime, runtime) => {
    let service: DistributionService
    let desk: Desk
    let version: string
    beforeAll(async () => {
      service = await startService(runtime)
      version = await newestVersion()
      const installationKey = await service.register(version)
      desk = await newDesk(openBrowser, {
        CARDWIRE_CORS: '',
        CARDWIRE_JWKS: '',
        CARDWIRE_DS_URL: service.url,
        CARDWIRE_INSTALLATION_KEY: installationKey,
      })
      await service.allow(version, [desk.shop.everyPage])
      await desk.connector.command('sync')
      const apiKey = await service.newLabel()
      const tokens = applicationTokens({ dsUrl: service.url, apiKey })
      desk.shop.token = () => tokens.token()
    })
    afterAll(async () => {
      await desk?.close()
      await service?.stop()
    })

    test('first visit, with a token and an allowlist of the service', async () => {
      const { tab } = await desk.visit()
      expect(await readersOf(tab)).toBe('Cardwire Virtual Reader: no card')
      expect(desk.shop.given()).toBe(1)
      await tab.close()
    })

    test('origin removed from the allowlist while the page is open', async () => {
      const { page, tab } = await desk.visit()
      await service.allow(version, ['https://other.example'])
      await desk.connector.command('sync')
      await stands(tab, 'origin-refused')
      expect(await tab.text('#says')).toMatch(/allowlist/)
      const again = await desk.browser.open(page.address(desk.connector.registryPort))
      await stands(again, 'origin-refused')
      await service.allow(version, [desk.shop.everyPage])
      await desk.connector.command('sync')
      await again.click('#again')
      await stands(again, 'watching')
      await again.close()
      await tab.close()
    })

    test('DS unreachable', async () => {
      const { page, tab } = await desk.visit()
      await service.pause()
      // The connector goes on with what it was told last, also after a start; so does a page that has its token.
      await desk.connector.stop()
      await desk.connector.start()
      await tab.close()
      const again = await desk.browser.open(page.address(desk.connector.registryPort))
      await stands(again, 'watching')
      // A back end without a token says so, and whose fault it is.
      const { token } = applicationTokens({ dsUrl: service.url, apiKey: crypto.randomUUID() })
      desk.shop.token = () => token()
      await again.reload()
      await stands(again, 'no token')
      expect(await again.text('#says')).toMatch(/Cannot get a token from .*: it cannot be reached/)
      await again.close()
    })
  })
})

describe.each(browsers)('%s', (_, openBrowser) => {
  let desk: Desk
  beforeAll(async () => {
    desk = await newDesk(openBrowser)
  })
  afterAll(() => desk?.close())

  test('JWT expired in mid-session', async () => {
    // A connector bears with clocks that are half a minute apart: this one lasts four seconds more.
    desk.shop.token = () => desk.signer.token(-26)
    const { page, tab } = await desk.visit()
    const given = desk.shop.given()
    // The stream ends with its token; the page fetches another, and misses nothing.
    await expect.poll(() => desk.shop.given(), { timeout: 20_000 }).toBeGreaterThan(given)
    await desk.connector.insert('3B951381018073FF01000B')
    await expect.poll(() => readersOf(tab), { timeout: 20_000 }).toMatch(/3B951381018073FF01000B/)
    await tab.close()

    const stubborn = await desk.browser.open(
      page.address(desk.connector.registryPort, { renew: 'no' }),
    )
    await stands(stubborn, 'watching')
    await stands(stubborn, 'token-expired')
    expect(await stubborn.text('#says')).toMatch(/token of the page has expired/)
    await stubborn.close()
  })
})
