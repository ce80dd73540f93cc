/** The own account in Chromium: password, second factor, sessions. */
import { existsSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { headlessProgram } from '../../../test/bed/chromium.ts'
import { proves } from '../../../test/bed/proves.ts'
import { createAccount, createCode } from '../harness/account.ts'
import { getData } from '../harness/arrange.ts'
import { withDatabase } from '../harness/stored-data.ts'
import {
  type Administration,
  expectAccessible,
  expectNoSidewaysScroll,
  logIn,
  startAdministration,
} from './administration.ts'

describe.runIf(existsSync(headlessProgram))('own account in the admin console', () => {
  let administration: Administration
  beforeAll(async () => {
    administration = await startAdministration()
  })
  afterAll(() => administration?.stop())

  const open = async (options = {}) => {
    const account = await createAccount(administration.service)
    const opened = await administration.open(options)
    await opened.goTo('login?to=account')
    await logIn(opened.page, account)
    await opened.page.getByRole('heading', { name: 'Your account' }).waitFor()
    return { ...opened, account }
  }

  test.each([true, false])(
    'second factor is set up with the keyboard and asked for at the next log-in, with scripts: %s',
    async (javaScriptEnabled) => {
      proves('own-account-in-browser')
      const { page, faults, account } = await open({ javaScriptEnabled })
      await page.getByLabel('Your password').fill(account.password)
      await page.keyboard.press('Enter')
      const secret = (await page.locator('#totp-secret').textContent()) ?? ''
      expect(secret).toMatch(/^[A-Z2-7]{32}$/)
      await page.getByRole('img', { name: /QR code/ }).waitFor()
      await page.getByLabel('Code shown in the app').fill('000000')
      await page.keyboard.press('Enter')
      await page.getByRole('alert').waitFor()
      await page.getByLabel('Code shown in the app').fill(createCode(secret))
      await page.keyboard.press('Enter')
      await page.getByText('Two-factor authentication is on').waitFor()
      expect(await page.content()).not.toContain(secret)
      const shown = (await page.locator('#recovery-codes').textContent()) ?? ''
      const codes = shown.split('\n')
      expect(codes).toHaveLength(10)
      await page.getByRole('link', { name: 'I’ve saved the recovery codes' }).press('Enter')
      await page.getByText('10 recovery codes left').waitFor()
      expect(await page.content()).not.toContain(codes[0])

      await page.getByRole('button', { name: 'Sign out', exact: true }).press('Enter')
      await logIn(page, account)
      await page.getByText('This account uses two-factor authentication').waitFor()
      await page.getByLabel('Two-factor code').fill(createCode(secret, 1))
      await page.getByLabel('Password').fill(account.password)
      await page.keyboard.press('Enter')
      await page.getByRole('link', { name: account.name }).waitFor()

      await page.getByRole('button', { name: 'Sign out', exact: true }).press('Enter')
      await page.getByLabel('Two-factor code').fill(codes[0] ?? '')
      await logIn(page, account)
      await page.getByText('9 recovery codes left').waitFor()
      await page.getByText(/^Used on .* from 127\.0\.0\.1$/).waitFor()
      await withDatabase(administration.service, ({ run }) =>
        run('update administrators set totp_step = totp_step - 2 where name = ?', account.name),
      )
      await page.getByLabel('Account password').fill(account.password)
      await page.getByLabel('Code shown in the app').fill(createCode(secret))
      await page.keyboard.press('Enter')
      await page.locator('#recovery-codes').waitFor()
      expect(await page.content()).not.toContain(codes[1])
      // The two refused forms.
      expect(faults.filter((fault) => !/status of 40[13]/.test(fault))).toEqual([])
    },
  )

  test.each([true, false])(
    'an invited account changes its password before it gets to the page it asked for, by keyboard, with scripts: %s',
    async (javaScriptEnabled) => {
      proves('password-change-first')
      const { service } = administration
      const name = `invited-${javaScriptEnabled}`
      const body = { name, role: 'viewer' }
      const added = await service.request('POST', '/v3/administrators', {
        token: await service.login(),
        body,
      })
      const { generatedPassword: password } = getData(added)
      const { page, faults, goTo } = await administration.open({ javaScriptEnabled })
      await goTo('login?to=devices%3Fq=a')
      await logIn(page, { name, password })
      await page.getByRole('heading', { name: 'Choose a new password' }).waitFor()
      for (const elsewhere of ['', 'account', 'devices']) {
        await goTo(elsewhere)
        await page.getByRole('heading', { name: 'Choose a new password' }).waitFor()
      }
      await goTo('devices?q=a')
      const change = async (newPassword: string) => {
        await page.getByLabel('Current password').fill(password)
        await page.getByLabel('New password', { exact: true }).fill(newPassword)
        await page.getByLabel('Confirm new password').fill(newPassword)
        await page.keyboard.press('Enter')
      }
      await change(password)
      await page.getByText('Choose a password that’s different from the current one').waitFor()
      await change('a-password-of-the-owner')
      await page.getByRole('heading', { name: 'Devices', level: 1 }).waitFor()
      expect(new URL(page.url()).search).toBe('?q=a')
      expect(faults.filter((fault) => !/status of 422/.test(fault))).toEqual([])
    },
  )

  test('password is changed, and the two entries have to be the same', async () => {
    proves('own-account-in-browser')
    const { page, account } = await open()
    const change = async (again: string) => {
      await page.getByLabel('Current password').fill(account.password)
      await page.getByLabel('New password', { exact: true }).fill('another-good-password')
      await page.getByLabel('Confirm new password').fill(again)
      await page.keyboard.press('Enter')
    }
    await change('another-bad-password')
    await page.getByText('The new passwords don’t match').waitFor()
    await change('another-good-password')
    await page.getByText('Password changed.').waitFor()
  })

  test('other sessions are listed with browser and address, and ended', async () => {
    proves('own-account-in-browser')
    const { page, account } = await open()
    const other = await administration.open()
    await other.goTo('login?to=account')
    await logIn(other.page, account)
    await other.page.getByRole('heading', { name: 'Your account' }).waitFor()
    await page.reload()
    expect(await page.getByRole('rowheader').allTextContents()).toEqual([
      expect.stringMatching(/^Chrom\w+ \d+ on Linux/),
      expect.stringMatching(/^Chrom\w+ \d+ on Linux/),
    ])
    await page.getByRole('button', { name: 'Sign out of 1 other session' }).press('Enter')
    await page.getByText('You’re signed out of 1 other session.').waitFor()
    await other.page.reload()
    await other.page.getByRole('heading', { name: 'Sign in' }).waitFor()
  })

  test.each(['light', 'dark'] as const)(
    'pages of the account have no fault that axe finds, in %s, and fit a narrow window',
    async (colorScheme) => {
      proves('own-account-in-browser')
      const { page, account } = await open({ colorScheme, viewport: { width: 320, height: 640 } })
      await expectAccessible(page, colorScheme)
      await expectNoSidewaysScroll(page)
      await withDatabase(administration.service, ({ run }) =>
        run('update administrators set password_due = true where name = ?', account.name),
      )
      await page.reload()
      await page.getByRole('heading', { name: 'Choose a new password' }).waitFor()
      await expectAccessible(page, colorScheme)
      await expectNoSidewaysScroll(page)
      await withDatabase(administration.service, ({ run }) =>
        run('update administrators set password_due = false where name = ?', account.name),
      )
      await page.reload()
      await page.getByLabel('Your password').fill(account.password)
      await page.keyboard.press('Enter')
      await page.getByRole('img', { name: /QR code/ }).waitFor()
      await expectAccessible(page, colorScheme)
      await expectNoSidewaysScroll(page)
      const secret = (await page.locator('#totp-secret').textContent()) ?? ''
      await page.getByLabel('Code shown in the app').fill(createCode(secret))
      await page.keyboard.press('Enter')
      await page.locator('#recovery-codes').waitFor()
      await expectAccessible(page, colorScheme)
      await expectNoSidewaysScroll(page)
      await page.getByRole('link', { name: 'I’ve saved the recovery codes' }).press('Enter')
      await page.getByText('10 recovery codes left').waitFor()
      await expectAccessible(page, colorScheme)
      await expectNoSidewaysScroll(page)
    },
  )
})
