/** The admin console of a service that requires a second factor, in Chromium. */
import { existsSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { headlessProgram } from '../../../test/bed/chromium.ts'
import { proves } from '../../../test/bed/proves.ts'
import { createAccount, createCode } from '../harness/account.ts'
import {
  type Administration,
  expectAccessible,
  expectNoSidewaysScroll,
  logIn,
  startAdministration,
} from './administration.ts'

describe.runIf(existsSync(headlessProgram))(
  'an admin console that requires a second factor',
  () => {
    let administration: Administration
    beforeAll(async () => {
      administration = await startAdministration({ DS_SECOND_FACTOR: 'required' })
    })
    afterAll(() => administration?.stop())

    test.each([true, false])(
      'leads to its setup, and then to the page that was asked for, by keyboard, with scripts: %s',
      async (javaScriptEnabled) => {
        proves('second-factor-required')
        const account = await createAccount(administration.service)
        const viewport = { width: 320, height: 640 }
        const options = { javaScriptEnabled, ...(javaScriptEnabled && { viewport }) }
        const { page, faults, goTo } = await administration.open(options)
        const check = async () => {
          // axe is a script.
          if (!javaScriptEnabled) return
          await expectAccessible(page)
          await expectNoSidewaysScroll(page)
        }
        await goTo('login?to=devices%3Fq=a')
        await logIn(page, account)
        const heading = page.getByRole('heading', { name: 'Set up two-factor authentication' })
        await heading.waitFor()
        await check()
        for (const elsewhere of ['', 'account', 'devices?q=a']) {
          await goTo(elsewhere)
          await heading.waitFor()
        }
        await page.getByLabel('Your password').fill(account.password)
        await page.keyboard.press('Enter')
        await page.locator('#totp-secret').waitFor()
        const secret = (await page.locator('#totp-secret').textContent()) ?? ''
        await check()
        await page.getByLabel('Code shown in the app').fill('000000')
        await page.keyboard.press('Enter')
        await page.getByRole('alert').waitFor()
        await check()
        await page.getByLabel('Code shown in the app').fill(createCode(secret))
        await page.keyboard.press('Enter')
        await page.locator('#recovery-codes').waitFor()
        await check()
        await page.getByRole('link', { name: 'I’ve saved the recovery codes' }).press('Enter')
        await page.getByRole('heading', { name: 'Devices', level: 1 }).waitFor()
        expect(new URL(page.url()).search).toBe('?q=a')
        expect(faults.filter((fault) => !/status of 4(03|29)/.test(fault))).toEqual([])

        await goTo('account')
        await page.getByRole('heading', { name: 'Your account' }).waitFor()
        await page.getByLabel('Your password', { exact: true }).fill(account.password)
        await page.keyboard.press('Enter')
        await heading.waitFor()
      },
    )
  },
)
