/** Signing in with the account for emergencies, in Chromium, while the external provider is down. */
import { existsSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { headlessProgram } from '../../../test/bed/chromium.ts'
import { proves } from '../../../test/bed/proves.ts'
import { createCode } from '../harness/account.ts'
import { cheapPasswords } from '../harness/cheap-passwords.ts'
import { withDatabase } from '../harness/stored-data.ts'
import {
  type Administration,
  expectAccessible,
  expectNoSidewaysScroll,
  logIn,
  startAdministration,
} from './administration.ts'

const account = { name: 'emergency', password: 'a-password-for-emergencies' }

describe.runIf(existsSync(headlessProgram))('the account for emergencies', () => {
  let administration: Administration
  beforeAll(async () => {
    administration = await startAdministration({
      // No program listens there.
      DS_IDP_ISSUER: 'http://127.0.0.1:9/realm',
      DS_IDP_AUDIENCE: 'cardwire',
      DS_IDP_ROLE: 'card-admins',
      DS_IDP_CLIENT_ID: 'cardwire-pages',
      DS_BREAK_GLASS_USER: account.name,
    })
  })
  afterAll(() => administration?.stop())

  test.each([true, false])(
    'signs in by keyboard, and its sign-in stands out in the audit log, with scripts: %s',
    async (javaScriptEnabled) => {
      proves('break-glass')
      const hash = await cheapPasswords.hash(account.password)
      await withDatabase(administration.service, async ({ run }) => {
        await run('delete from administrators where name = ?', account.name)
        await run(
          'insert into administrators (name, password_hash, created_at, updated_at) values (?, ?, 1, 1)',
          account.name,
          hash,
        )
      })
      const viewport = { width: 320, height: 640 }
      const options = { javaScriptEnabled, ...(javaScriptEnabled && { viewport }) }
      const { page, faults, goTo } = await administration.open(options)
      const check = async () => {
        // axe is a script.
        if (!javaScriptEnabled) return
        await expectAccessible(page)
        await expectNoSidewaysScroll(page)
      }
      await goTo('login')
      await check()
      await page.getByRole('link', { name: 'Sign in with the emergency account' }).press('Enter')
      await page.getByLabel('User name').waitFor()
      await check()
      await logIn(page, account)
      await page.getByRole('heading', { name: 'Set up two-factor authentication' }).waitFor()
      await page.getByLabel('Your password').fill(account.password)
      await page.keyboard.press('Enter')
      await page.locator('#totp-secret').waitFor()
      const secret = (await page.locator('#totp-secret').textContent()) ?? ''
      await page.getByLabel('Code shown in the app').fill(createCode(secret))
      await page.keyboard.press('Enter')
      await page.getByRole('link', { name: 'I’ve saved the recovery codes' }).press('Enter')
      // A new service leads to its setup.
      await page.waitForURL('**/admin/first-use')
      await goTo('audit')
      await page
        .locator('strong', { hasText: 'Signed in with the emergency account' })
        .first()
        .waitFor()
      await goTo('administrators')
      await page.getByText('Users who signed in here').waitFor()
      await check()
      await goTo('account')
      await page.getByRole('heading', { name: 'Recovery codes' }).waitFor()
      expect(faults).toEqual([])
    },
  )
})
