/** Changes that a second administrator approves in the admin console, in Chromium. */
import { existsSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { headlessProgram } from '../../../test/bed/chromium.ts'
import { proves } from '../../../test/bed/proves.ts'
import type { Json } from '../../../test/bed/service-request.ts'
import { addAccount, type LoggedIn } from '../harness/accounts.ts'
import { createRollout, createVersion, getData } from '../harness/arrange.ts'
import { createDevice } from '../harness/device.ts'
import {
  type Administration,
  expectAccessible,
  expectNoSidewaysScroll,
  logIn,
  startAdministration,
} from './administration.ts'

/** The version of the devices, and a later one. */
const [before, after] = ['1.0.0', '1.1.0']

describe.runIf(existsSync(headlessProgram))('approvals', () => {
  let administration: Administration
  let second: LoggedIn
  beforeEach(async () => {
    administration = await startAdministration({ DS_TWO_ADMINISTRATORS: '1' })
    const { service } = administration
    second = await addAccount(service, 'administrator')
    const token = await service.login()
    const version = await createVersion(service, token, { id: before })
    await createVersion(service, token, { id: after })
    for (const _ of [1, 2]) await createDevice(service, version, { platform: 'UNIX' })
  })
  afterEach(() => administration?.stop())

  const send = async (method: string, path: string, body?: Json) => {
    const { service } = administration
    return service.request(method, path, { token: await service.login(), body })
  }
  const read = async (path: string) => getData(await send('GET', path))
  const readAllowed = async () => (await read(`/v3/versions/${before}`)).allowed
  const list = async () => (await read('/v3/approvals')).items

  /** A page of the second administrator. */
  async function openAsSecond(...options: Parameters<Administration['open']>) {
    const opened = await administration.open(...options)
    await opened.goTo('login')
    await logIn(opened.page, second)
    await opened.page.waitForURL(`${administration.service.url}/admin`)
    return opened
  }

  const confirmWith = async (page: Page, text: string) => {
    await page.getByLabel(/to confirm/).fill(text)
    await page.keyboard.press('Enter')
  }

  /** The first one blocks the version of the devices, and the page says who has to approve. */
  async function askToBlock() {
    const { page } = await administration.openLoggedIn(`versions/${before}/flags`)
    await page.getByLabel('Allowed').uncheck()
    await page.getByRole('button', { name: 'Review changes' }).press('Enter')
    await confirmWith(page, before)
    await page
      .getByRole('alert')
      .getByText('Another administrator or publisher has to approve this')
      .waitFor()
    return page
  }

  /** Presses Tab until a button has the focus. */
  async function tabTo(page: Page, name: string): Promise<void> {
    const button = page.getByRole('button', { name, exact: true })
    for (let pressed = 0; pressed < 60; pressed += 1) {
      if (await button.evaluate((one) => one.matches(':focus'))) return
      await page.keyboard.press('Tab')
    }
    throw new Error(`Tab does not reach "${name}"`)
  }

  test.each([true, false])(
    'one administrator blocks a version, another one sees what that does and approves it with the keyboard, with scripts: %s',
    async (javaScriptEnabled) => {
      proves('approvals-page', 'second-administrator')
      await askToBlock()
      const { page, faults } = await openAsSecond({ javaScriptEnabled })
      await page.getByRole('link', { name: 'Review changes pending approval' }).press('Enter')
      await page.getByRole('heading', { level: 1, name: 'Approvals' }).waitFor()
      await page.getByRole('heading', { level: 2, name: `Changed a version: ${before}` }).waitFor()
      await page.getByText('Requested by admin,').waitFor()
      await page.getByText('When it was requested, it would have affected 2 devices.').waitFor()
      await page.getByText('The connector will stop on 2 devices.').waitFor()
      const rows = await page.getByRole('row').allInnerTexts()
      expect(rows.slice(1).map((row) => row.split('\t'))).toEqual([
        [before, 'Linux', '2', 'No update needed', 'Version blocked', after],
      ])
      expect(await readAllowed()).toBe(true)

      await tabTo(page, 'Approve')
      await page.keyboard.press('Enter')
      await page.getByRole('status').getByText('Change approved').waitFor()
      await page.getByText('No changes are pending approval.').waitFor()
      expect([await readAllowed(), await list()]).toEqual([false, []])
      expect(faults).toEqual([])
    },
  )

  test('another one is declined, and the one who asked sees it no more', async () => {
    proves('approvals-page')
    const { service } = administration
    const { id } = await createRollout(service, await service.login(), 'draft', { version: after })
    const { page: own, goTo } = await administration.openLoggedIn(`rollouts/${id}/start`)
    await confirmWith(own, '2')
    await own.getByRole('alert').getByText('Another administrator or publisher').waitFor()
    await goTo('approvals')
    await own.getByText('Another administrator or publisher has to approve it.').waitFor()
    expect(await own.getByRole('button', { name: 'Approve' }).count()).toBe(0)

    const { page, goTo: goToOther, faults } = await openAsSecond()
    await goToOther('approvals')
    await page.getByText('New status: Running').waitFor()
    await page.getByText('It would now affect 2 devices.').waitFor()
    await tabTo(page, 'Decline')
    await page.keyboard.press('Space')
    await page.getByRole('status').getByText('Request declined').waitFor()
    await page.getByText('No changes are pending approval.').waitFor()
    await goTo('approvals')
    await own.getByText('No changes are pending approval.').waitFor()
    expect([(await read(`/v3/rollouts/${id}`)).state, await list()]).toEqual(['draft', []])
    expect(faults).toEqual([])
  })

  test('a request that was canceled while it was shown is not approved, and the page says so', async () => {
    proves('approvals-page')
    const own = await askToBlock()
    const { page, goTo } = await openAsSecond()
    await goTo('approvals')
    await own.goto(`${administration.service.url}/admin/approvals`)
    await own.getByRole('button', { name: 'Cancel request' }).press('Enter')
    await own.getByRole('status').getByText('Request canceled').waitFor()
    await page.getByRole('button', { name: 'Approve' }).press('Enter')
    await page.getByRole('alert').getByText('This change is no longer pending approval.').waitFor()
    expect(await readAllowed()).toBe(true)
  })

  test.each(['light', 'dark'] as const)(
    'the page has no fault that axe finds, in %s, and fits a narrow window',
    async (colorScheme) => {
      await askToBlock()
      // A long value of the request, which no space breaks.
      const uri = `https://downloads.example/${'cardwire-'.repeat(20)}.deb`
      const uris = [{ os: 'UNIX', uri }]
      const asked = await send('PATCH', `/v3/versions/${after}?maxReach=9&force=true`, {
        ...{ mandatory: true, uris },
      })
      expect(asked.status).toBe(403)
      const viewport = { width: 320, height: 640 }
      const { page, goTo, faults } = await openAsSecond({ colorScheme, viewport })
      await goTo('approvals')
      await page.getByText(uri).waitFor()
      expect(await page.getByRole('button', { name: 'Decline' }).count()).toBe(2)
      await expectAccessible(page, colorScheme)
      await expectNoSidewaysScroll(page)
      expect(faults).toEqual([])
    },
  )
})
