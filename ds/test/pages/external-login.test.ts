/** Logging in at an external provider of another site, in Chromium. */
import { existsSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { headlessProgram } from '../../../test/bed/chromium.ts'
import { proves } from '../../../test/bed/proves.ts'
import {
  type OpenIdProvider,
  startOpenIdProvider,
  toProviderSettings,
} from '../harness/openid-provider.ts'
import { type Administration, expectAccessible, startAdministration } from './administration.ts'

describe.runIf(existsSync(headlessProgram))('login at an external provider', () => {
  let provider: OpenIdProvider
  let administration: Administration
  beforeAll(async () => {
    administration = await startAdministration(async (url) => {
      // Another site than that of the service, whose cookies are Strict.
      provider = await startOpenIdProvider(`${url}/admin/login/callback`, { host: 'localhost' })
      return toProviderSettings(provider)
    })
  })
  afterAll(async () => {
    await administration?.stop()
    await provider?.stop()
  })

  test.each([true, false])(
    'leads there, back to the page that was asked for, and out again, with scripts: %s',
    async (javaScriptEnabled) => {
      proves('external-sign-in')
      const { page, faults, goTo } = await administration.open({ javaScriptEnabled })
      await goTo('account')
      if (javaScriptEnabled) await expectAccessible(page)
      await page.getByRole('link', { name: 'Sign in with your identity provider' }).press('Enter')
      await page.locator('input[name=login]').fill('ada')
      await page.locator('input[name=password]').fill('any')
      await page.keyboard.press('Enter')
      await page.getByRole('button', { name: 'Continue' }).click()
      await page.getByRole('heading', { name: 'Your account' }).waitFor()
      expect(page.url()).toBe(`${administration.service.url}/admin/account`)
      expect(await page.getByRole('rowheader').allTextContents()).toEqual([
        expect.stringContaining('This session'),
      ])
      const cookies = await page.context().cookies(administration.service.url)
      expect(cookies.map(({ name, sameSite }) => [name, sameSite])).toEqual([
        ['__Host-cardwire', 'Strict'],
      ])
      expect(await page.content()).not.toContain('eyJ')
      await page.getByRole('button', { name: 'Sign out' }).press('Enter')
      await page.getByRole('link', { name: 'Sign out there, too' }).waitFor()
      await goTo('account')
      await page.getByRole('link', { name: 'Sign in with your identity provider' }).waitFor()
      // The pages of the provider have faults of their own.
      expect(faults.filter((fault) => fault.includes('Content Security Policy'))).toEqual([])
    },
  )

  test.each([true, false])(
    'administrators see who signed in, and end the sessions by keyboard, with scripts: %s',
    async (javaScriptEnabled) => {
      proves('external-sessions-managed')
      const { page, faults, goTo } = await administration.open({ javaScriptEnabled })
      await goTo('')
      await page.getByRole('link', { name: 'Sign in with your identity provider' }).press('Enter')
      await page.locator('input[name=login]').fill('ada')
      await page.locator('input[name=password]').fill('any')
      await page.keyboard.press('Enter')
      await page.getByRole('button', { name: 'Continue' }).click()
      await page.getByRole('link', { name: 'ada' }).waitFor()
      await goTo('')
      await page.getByRole('link', { name: 'Administrators' }).press('Enter')
      await page.getByRole('heading', { name: 'Administrators' }).waitFor()
      if (javaScriptEnabled) await expectAccessible(page)
      await page.getByRole('rowheader').getByRole('link', { name: 'ada' }).press('Enter')
      await page.getByRole('heading', { name: 'ada' }).waitFor()
      if (javaScriptEnabled) await expectAccessible(page)
      expect(await page.getByRole('link', { name: 'Remove account' }).count()).toBe(0)
      await goTo('administrators/ada/remove')
      await page
        .getByText('This account no longer exists.')
        .or(page.getByText('Not found'))
        .first()
        .waitFor()
      await goTo('administrators/ada')
      await page.getByRole('button', { name: 'End 1 session' }).press('Enter')
      await page.getByRole('link', { name: 'Sign in with your identity provider' }).waitFor()
      // The pages of the provider have faults of their own.
      expect(faults.filter((fault) => fault.includes('Content Security Policy'))).toEqual([])
    },
  )
})
