/** What stands between a page from the internet and this machine: the browser's permission, frames, certificates. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { browsers, consent, type Desk, newDesk, stands } from './desk.ts'
import { becomes } from './wait.ts'

describe.each(browsers)('%s', (name, openBrowser) => {
  let desk: Desk
  beforeAll(async () => {
    desk = await newDesk(openBrowser)
  })
  afterAll(() => desk?.close())

  describe('a public page', () => {
    test('without permission', async () => {
      const page = desk.shop.newPage()
      const address = page.address(desk.connector.registryPort, { prompt: 'no' })
      const tab = await desk.browser.open(address)
      await stands(tab, 'permission-needed')
      await tab.click('#again')
      await becomes(() => tab.read('shop.questions'), 1)
      // The browser asks, and as long as it does nothing fails.
      expect(await tab.text('#state')).toBe('looking')
      await desk.browser.permit(page.origin, 'granted')
      await tab.reload()
      await stands(tab, 'consent-required')
      await tab.close()
    })

    test('with permission', async () => {
      const page = await desk.newPage()
      const tab = await desk.browser.open(page.address(desk.connector.registryPort))
      await consent(tab)
      expect(await tab.read('shop.questions')).toBe(0)
      await tab.close()
    })

    test('with denied permission', async () => {
      const page = desk.shop.newPage()
      await desk.browser.permit(page.origin, 'denied')
      const tab = await desk.browser.open(page.address(desk.connector.registryPort))
      await stands(tab, 'permission-denied')
      expect(await tab.text('#says')).toMatch(/allow it in the settings of the site/)
      await tab.close()
    })
  })

  describe('the page in an iframe', () => {
    const framed = (allow: string) => {
      const page = desk.shop.newPage()
      return desk.shop.around(page.address(desk.connector.registryPort), allow)
    }

    test('without allow', async () => {
      const tab = await desk.browser.open(framed('').address(''))
      const frame = await tab.frame()
      const { reason, alsoPossible } = barred[name]
      await stands(frame, reason)
      expect(await frame.read('shop.error.alsoPossible')).toEqual(alsoPossible)
      expect(await frame.text('#says')).toMatch(/allow="loopback-network"/)
      await tab.close()
    })

    test('with allow', async () => {
      const around = framed('loopback-network; clipboard-write')
      await desk.browser.permit(around.origin, 'granted')
      const tab = await desk.browser.open(around.address(''))
      await consent(await tab.frame())
      await tab.close()
    })
  })
})

/** Chromium tells a frame that it is barred; Firefox tells it no other thing than one whose person said no. */
const barred = {
  Chromium: { reason: 'permission-impossible', alsoPossible: [] },
  Firefox: { reason: 'permission-denied', alsoPossible: ['permission-impossible'] },
} as const

describe.each(browsers)('%s that was not told of the root', (_, openBrowser) => {
  let desk: Desk
  beforeAll(async () => {
    desk = await newDesk(openBrowser, {}, { trusted: false })
  })
  afterAll(() => desk?.close())

  test('untrusted root', async () => {
    const page = await desk.newPage()
    const tab = await desk.browser.open(page.address(desk.connector.registryPort))
    // No browser lets a page tell one from the other.
    await stands(tab, 'not-running')
    expect(await tab.read('shop.error.alsoPossible')).toEqual(['certificate-untrusted'])
    expect(await tab.text('#says')).toMatch(/does not trust its certificate: run "cardwire certs/)
    await tab.close()
  })
})
