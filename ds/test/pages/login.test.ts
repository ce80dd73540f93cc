/** Logging in to the admin console in Chromium, and out again. */
import { existsSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { administrator } from '../../../test/bed/administrator.ts'
import { headlessProgram } from '../../../test/bed/chromium.ts'
import { proves } from '../../../test/bed/proves.ts'
import { createVersion } from '../harness/arrange.ts'
import { createDevice } from '../harness/device.ts'
import {
  type Administration,
  expectAccessible,
  expectNoSidewaysScroll,
  logIn,
  startAdministration,
} from './administration.ts'

describe.runIf(existsSync(headlessProgram))('login to the admin console', () => {
  let administration: Administration
  beforeAll(async () => {
    administration = await startAdministration()
    const { service } = administration
    // A service without devices leads to the first steps.
    await createDevice(service, await createVersion(service, await service.login()))
  })
  afterAll(() => administration?.stop())

  test.each([true, false])(
    'leads to the page that was asked for, and log out ends it, with scripts: %s',
    async (javaScriptEnabled) => {
      proves('browser-sign-in')
      const { page, faults, goTo } = await administration.open({ javaScriptEnabled })
      await goTo('')
      expect(await page.title()).toBe('Sign in · Cardwire')
      await logIn(page)
      await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
      const [cookie] = await page.context().cookies()
      expect(cookie).toMatchObject({
        name: '__Host-cardwire',
        httpOnly: true,
        secure: true,
        sameSite: 'Strict',
      })
      await page.getByRole('button', { name: 'Sign out' }).press('Enter')
      await page.getByRole('heading', { name: 'Sign in' }).waitFor()
      expect(await page.context().cookies()).toEqual([])
      if (cookie) await page.context().addCookies([cookie])
      await goTo('')
      expect(await page.title()).toBe('Sign in · Cardwire')
      expect(faults).toEqual([])
    },
  )

  test('a wrong password is said in words, and the user name stays', async () => {
    const { page, goTo } = await administration.open()
    await goTo('login')
    await logIn(page, { name: administrator.name, password: 'wrong' })
    expect(await page.getByRole('alert').textContent()).toBe('The user name or password is wrong.')
    expect(await page.getByLabel('User name').inputValue()).toBe(administrator.name)
    await expectAccessible(page)
  })

  test('the first press of Tab leads to the content', async () => {
    proves('pages-accessible')
    const { page } = await administration.openLoggedIn()
    const address = page.url()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    // The browser follows a link after the key press has been answered.
    await page.waitForURL(`${address}#main`)
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('main')
  })

  test.each(['light', 'dark'] as const)(
    'pages have no fault that axe finds, in %s, and fit a narrow window',
    async (colorScheme) => {
      proves('pages-accessible')
      const viewport = { width: 320, height: 640 }
      const { page, goTo } = await administration.open({ colorScheme, viewport })
      await goTo('login')
      await expectAccessible(page, colorScheme)
      await expectNoSidewaysScroll(page)
      await logIn(page)
      await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
      await expectAccessible(page, colorScheme)
      await expectNoSidewaysScroll(page)
    },
  )

  test.each([true, false])(
    'in a narrow window, the screens are in a menu that opens by keyboard, with scripts: %s',
    async (javaScriptEnabled) => {
      proves('narrow-menu')
      const viewport = { width: 320, height: 640 }
      const { page, faults } = await administration.openLoggedIn('', {
        javaScriptEnabled,
        viewport,
      })
      const link = page.getByRole('link', { name: 'Audit log' })
      await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
      expect(await link.isVisible()).toBe(false)
      const menu = page.getByRole('button', { name: 'Menu' })
      await menu.press('Enter')
      await link.waitFor()
      if (javaScriptEnabled) {
        await expectNoSidewaysScroll(page)
        await expectAccessible(page)
      }
      await menu.press('Enter')
      await link.waitFor({ state: 'hidden' })
      await menu.press('Enter')
      await link.press('Enter')
      await page.getByRole('heading', { level: 1, name: 'Audit log' }).waitFor()
      await page.setViewportSize({ width: 1280, height: 720 })
      await link.waitFor()
      expect(await menu.isVisible()).toBe(false)
      expect(faults).toEqual([])
    },
  )
})
