/** From the first visit to the last: no connector, consent, coming back, and consent that ends. */
import { once } from 'node:events'
import { createServer } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { browsers, consent, type Desk, newDesk, readersOf, stands } from './desk.ts'
import { freePort } from './free-port.ts'

describe.each(browsers)('%s', (_, openBrowser) => {
  let desk: Desk
  beforeAll(async () => {
    desk = await newDesk(openBrowser)
  })
  afterAll(() => desk?.close())

  test('first visit with nothing installed', async () => {
    const page = await desk.newPage()
    const tab = await desk.browser.open(page.address(String(await freePort())))
    await stands(tab, 'not-running')
    expect(await tab.text('#says')).toMatch(/install it or start it/)
    expect(await tab.read('shop.unhandled')).toEqual([])
    await tab.close()
  })

  test('consent given by a click and found on the clipboard', async () => {
    const page = await desk.newPage()
    await desk.display.copy('the shopping list of this week')
    const tab = await desk.browser.open(page.address(desk.connector.registryPort))
    await stands(tab, 'consent-required')
    const word = await tab.text('#word')
    expect(word).toMatch(/^[\w-]{32}$/)
    await tab.click('#copy')
    await stands(tab, 'watching')
    expect(desk.display.clipboard()).toBe(word)
    expect(await tab.text('#copied')).toBe('The code is on the clipboard')
    expect(await readersOf(tab)).toBe('Cardwire Virtual Reader: no card')
    expect(await tab.read('shop.client.url')).toBe(`https://localhost:${desk.connector.port()}`)
    await tab.close()
  })

  test('second visit goes straight through', async () => {
    const { page, tab } = await desk.visit()
    await tab.close()
    await desk.display.copy('something else altogether')
    const again = await desk.browser.open(page.address(desk.connector.registryPort))
    await stands(again, 'watching')
    expect(await readersOf(again)).toBe('Cardwire Virtual Reader: no card')
    expect(await again.text('#word')).toBe('')
    await again.close()
  })

  test('connector restarted on another port', async () => {
    const { page, tab } = await desk.visit()
    const before = desk.connector.port()
    await desk.connector.stop()
    // Somebody else has the old port meanwhile.
    const squatter = createServer().listen(before, '127.0.0.1')
    await once(squatter, 'listening')
    await desk.connector.start()
    squatter.close()
    const now = `https://localhost:${desk.connector.port()}`
    expect(desk.connector.port()).not.toBe(before)
    expect(await tab.read('shop.client.validateConsent().then(({ url }) => url)')).toBe(now)
    await tab.close()
    const again = await desk.browser.open(page.address(desk.connector.registryPort))
    await stands(again, 'watching')
    expect(await again.read('shop.client.url')).toBe(now)
    await again.close()
  })

  test('consent revoked', async () => {
    const { page, tab } = await desk.visit()
    await desk.connector.command('consents', 'revoke', page.origin)
    await stands(tab, 'consent-required')
    await consent(tab)
    await tab.reload()
    await stands(tab, 'watching')
    await tab.close()
  })

  test('consent expired', async () => {
    const { tab } = await desk.visit({ days: '1' })
    await desk.connector.stop()
    // For the connector and its service two days have passed.
    await desk.connector.start(['faketime', '-f', '+2d'])
    desk.shop.token = () => desk.signer.token(1200, 2 * 86_400)
    await tab.reload()
    await consent(tab)
    await tab.close()
  })
})
