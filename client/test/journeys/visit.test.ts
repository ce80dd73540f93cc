/** From the first visit to the last: consent, coming back, and consent that ends. */
import { once } from 'node:events'
import { createServer } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import {
  browsersOf,
  giveConsent,
  openUserSession,
  readReaders,
  type UserSession,
  waitForState,
} from './user-session.ts'

describe.each(browsersOf('visit'))('%s', (_, openBrowser) => {
  let desk: UserSession
  beforeAll(async () => {
    desk = await openUserSession(openBrowser)
  })
  afterAll(() => desk?.close())

  test('a click puts the code word on the clipboard and gives the page consent', async () => {
    proves('journey-consent')
    const page = await desk.newPage()
    await desk.display.copy('the shopping list of this week')
    const tab = await desk.browser.open(page.address(desk.connector.registryPort))
    await waitForState(tab, 'consent-required')
    const word = await tab.text('#word')
    expect(word).toMatch(/^[\w-]{32}$/)
    await tab.click('#copy')
    await waitForState(tab, 'watching')
    expect(desk.display.readClipboard()).toBe(word)
    expect(await tab.text('#copied')).toBe('The code is on the clipboard')
    expect(await readReaders(tab)).toBe('Cardwire Virtual Reader: no card')
    expect(await tab.read('shop.client.url')).toBe(`https://localhost:${desk.connector.port()}`)
    await tab.close()
  })

  test('a second visit needs no consent', async () => {
    proves('journey-second-visit')
    const { page, tab } = await desk.visit()
    await tab.close()
    await desk.display.copy('something else altogether')
    const again = await desk.browser.open(page.address(desk.connector.registryPort))
    await waitForState(again, 'watching')
    expect(await readReaders(again)).toBe('Cardwire Virtual Reader: no card')
    expect(await again.text('#word')).toBe('')
    await again.close()
  })

  test('a page finds a connector that was restarted on another port', async () => {
    proves('journey-other-port')
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
    await waitForState(again, 'watching')
    expect(await again.read('shop.client.url')).toBe(now)
    await again.close()
  })

  test('a page asks again after its consent was revoked', async () => {
    proves('journey-consent-ended')
    const { page, tab } = await desk.visit()
    await desk.connector.command('consents', 'revoke', page.origin)
    await waitForState(tab, 'consent-required')
    await giveConsent(tab)
    await tab.reload()
    await waitForState(tab, 'watching')
    await tab.close()
  })

  test('a page asks again after its consent has expired', async () => {
    proves('journey-consent-ended')
    const { tab } = await desk.visit({ days: '1' })
    await desk.connector.stop()
    // For the connector and its service two days have passed.
    await desk.connector.start(['faketime', '-f', '+2d'])
    desk.shop.token = () => desk.signer.token(1200, 2 * 86_400)
    await tab.reload()
    await giveConsent(tab)
    await tab.close()
  })
})
