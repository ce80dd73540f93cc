/** What a page from the internet needs to reach this machine: the browser's permission, in frames too, and a trusted certificate. */
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findFreePort } from '../../../test/bed/free-port.ts'
import { proves } from '../../../test/bed/proves.ts'
import {
  browsersOf,
  giveConsent,
  openUserSession,
  type UserSession,
  waitForState,
} from './user-session.ts'
import { becomes } from './wait.ts'

describe.each(browsersOf('permission'))('%s', (name, openBrowser) => {
  let desk: UserSession
  beforeAll(async () => {
    desk = await openUserSession(openBrowser)
  })
  afterAll(() => desk?.close())

  describe('a public page', () => {
    test('needs the permission, and asks for it after a click', async () => {
      proves('journey-permission')
      const page = desk.shop.newPage()
      const address = page.address(desk.connector.registryPort, { prompt: 'no' })
      const tab = await desk.browser.open(address)
      await waitForState(tab, 'permission-needed')
      await tab.click('#again')
      await becomes(() => tab.read('shop.questions'), 1)
      // The browser asks, and as long as it does nothing fails.
      expect(await tab.text('#state')).toBe('looking')
      await desk.browser.permit(page.origin, 'granted')
      await tab.reload()
      await waitForState(tab, 'consent-required')
      await tab.close()
    })

    test('reaches the connector with the permission', async () => {
      proves('journey-permission')
      const page = await desk.newPage()
      const tab = await desk.browser.open(page.address(desk.connector.registryPort))
      await giveConsent(tab)
      expect(await tab.read('shop.questions')).toBe(0)
      await tab.close()
    })

    test('is named when its own Content-Security-Policy blocks the connector, and reaches it with the line of the README', async () => {
      const page = await desk.newPage()
      const open = (csp: string) =>
        desk.browser.open(page.address(desk.connector.registryPort, { csp }))
      const blocked = await open("connect-src 'self'")
      await waitForState(blocked, 'csp-blocked')
      expect(await blocked.text('#says')).toMatch(/add https:\/\/localhost:\* to its connect-src/)
      await blocked.close()
      const readme = await readFile(new URL('../../README.md', import.meta.url), 'utf8')
      const [, line = ''] = /^Content-Security-Policy: (.*)$/m.exec(readme) ?? []
      expect(line).toContain('connect-src')
      const tab = await open(line.replace(/script-src [^;]*/, "script-src 'self' 'unsafe-inline'"))
      await waitForState(tab, 'consent-required')
      await tab.close()
    })

    test('a first visit without a connector shows that none is running', async () => {
      proves('journey-no-connector')
      const page = await desk.newPage()
      const tab = await desk.browser.open(page.address(String(await findFreePort())))
      await waitForState(tab, 'not-running')
      expect(await tab.text('#says')).toMatch(/install it or start it/)
      expect(await tab.read('shop.unhandled')).toEqual([])
      await tab.close()
    })

    test('says where to change a denied permission', async () => {
      proves('journey-permission')
      const page = desk.shop.newPage()
      await desk.browser.permit(page.origin, 'denied')
      const tab = await desk.browser.open(page.address(desk.connector.registryPort))
      await waitForState(tab, 'permission-denied')
      expect(await tab.text('#says')).toMatch(/allow it in the site settings/)
      await tab.close()
    })
  })

  describe('the page in an iframe', () => {
    const framed = (allow: string) => {
      const page = desk.shop.newPage()
      return desk.shop.around(page.address(desk.connector.registryPort), allow)
    }

    test('does not reach the connector without allow', async () => {
      proves('journey-frame')
      const tab = await desk.browser.open(framed('').address(''))
      const frame = await tab.frame()
      const { reason, alsoPossible } = blockedFrame[name]
      await waitForState(frame, reason)
      expect(await frame.read('shop.error.alsoPossible')).toEqual(alsoPossible)
      expect(await frame.text('#says')).toMatch(/allow="loopback-network"/)
      await tab.close()
    })

    test('reaches the connector with allow', async () => {
      proves('journey-frame')
      const around = framed('loopback-network; clipboard-write')
      await desk.browser.permit(around.origin, 'granted')
      const tab = await desk.browser.open(around.address(''))
      await giveConsent(await tab.frame())
      await tab.close()
    })
  })
})

/** Chromium shows a frame that its policy blocks the permission; Firefox shows the same as for a denied permission. */
const blockedFrame = {
  Chromium: { reason: 'permission-impossible', alsoPossible: [] },
  Firefox: { reason: 'permission-denied', alsoPossible: ['permission-impossible'] },
} as const

describe.each(browsersOf('untrusted root'))(
  '%s without the root in its trust store',
  (_, openBrowser) => {
    let desk: UserSession
    beforeAll(async () => {
      desk = await openUserSession(openBrowser, {}, { trusted: false })
    })
    afterAll(() => desk?.close())

    test('a page names an untrusted root as a possible reason', async () => {
      proves('untrusted-root-named')
      const page = await desk.newPage()
      const tab = await desk.browser.open(page.address(desk.connector.registryPort))
      // No browser shows a page the difference.
      await waitForState(tab, 'not-running')
      expect(await tab.read('shop.error.alsoPossible')).toEqual(['certificate-untrusted'])
      expect(await tab.text('#says')).toMatch(/does not trust its certificate: run "cardwire certs/)
      await tab.close()
    })
  },
)
