/** Organizations and labels in the admin console, in Chromium. */
import { existsSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { headlessProgram } from '../../../test/bed/chromium.ts'
import { proves } from '../../../test/bed/proves.ts'
import { createLabel, createVersion } from '../harness/arrange.ts'
import { createDevice } from '../harness/device.ts'
import {
  type Administration,
  expectAccessible,
  expectNoSidewaysScroll,
  startAdministration,
} from './administration.ts'

const uuid = /^[0-9a-f]{8}-[0-9a-f-]{27}$/

describe.runIf(existsSync(headlessProgram))('organizations and labels', () => {
  let administration: Administration
  beforeAll(async () => {
    administration = await startAdministration()
  })
  afterAll(() => administration?.stop())

  /** Moves the focus to an element with Tab alone. */
  async function tabTo(page: Page, selector: string): Promise<void> {
    for (let presses = 0; presses < 80; presses += 1) {
      await page.keyboard.press('Tab')
      if (await page.evaluate(`document.activeElement.matches(${JSON.stringify(selector)})`)) return
    }
    throw new Error(`Cannot reach "${selector}" with the keyboard`)
  }

  const keyStatus = async (apikey: string) =>
    (
      await administration.service.request('GET', '/v3/tokens/application', {
        headers: { apikey },
      })
    ).status

  test.each([true, false])(
    'an organization and its label are added by keyboard alone, and the key is shown once, with scripts: %s',
    async (javaScriptEnabled) => {
      proves('label-form')
      const { page, faults, goTo } = await administration.openLoggedIn('organizations', {
        javaScriptEnabled,
      })
      const own = `Shop ${javaScriptEnabled}`
      await tabToOr(page, '#name', javaScriptEnabled)
      await page.keyboard.type(own)
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { level: 1, name: own }).waitFor()
      await page.getByRole('link', { name: 'Add application' }).press('Enter')
      await page.getByLabel('Name').fill(`Till ${javaScriptEnabled}`)
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: `API key for Till ${javaScriptEnabled}` }).waitFor()
      const key = (await page.locator('#api-key').textContent()) ?? ''
      expect(key).toMatch(uuid)
      expect(await keyStatus(key)).toBe(200)
      await page.getByRole('link', { name: 'I’ve saved the key' }).press('Enter')
      await page.getByRole('heading', { level: 1, name: `Till ${javaScriptEnabled}` }).waitFor()
      expect(await page.content()).not.toContain(key)
      await goTo('labels')
      const row = page.getByRole('row').filter({ hasText: `Till ${javaScriptEnabled}` })
      expect(await row.getByRole('cell').allTextContents()).toEqual([
        own,
        'Active',
        new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' }).format(),
      ])
      expect(faults).toEqual([])
    },
  )

  /** Without scripts nothing can say where the focus is. */
  const tabToOr = (page: Page, selector: string, hasScripts: boolean) =>
    hasScripts ? tabTo(page, selector) : page.locator(selector).focus()

  test('a name that is taken is said beside its field, and what was typed is kept', async () => {
    proves('form-errors')
    const { page } = await administration.openLoggedIn('organizations')
    await page.getByLabel('Name', { exact: true }).last().fill('Twice')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Twice' }).waitFor()
    await page.goBack()
    await page.locator('#name').fill('twice')
    await page.keyboard.press('Enter')
    await page.getByText('the id "twice" is taken').first().waitFor()
    const field = page.locator('#name[aria-invalid=true][aria-describedby~=name-error]')
    expect(await field.inputValue()).toBe('twice')
    expect(await page.locator('#name-error').textContent()).toMatch(
      /already exists\. Choose a different/,
    )
    expect(await page.getByRole('alert').textContent()).toContain('the id "twice" is taken')
    await expectAccessible(page)
  })

  test('a key is replaced with an overlap, then revoked, then the label removed, each after its name was typed', async () => {
    proves('label-acts-confirmed')
    const { service } = administration
    const token = await service.login()
    const { id, name, apiKey: first } = await createLabel(service, token)
    const device = await createDevice(service, await createVersion(service, token))
    const day = new Date().toISOString().slice(0, 10)
    const use = { label: id, module: 'belgian-eid', useCase: 'signature', day, count: 1204 }
    await device.sync({ batches: [{ id: crypto.randomUUID(), entries: [use] }] })
    const { page, faults } = await administration.openLoggedIn(`labels/${id}`)

    await page.getByRole('link', { name: 'Replace key' }).press('Enter')
    await page.getByText('1,204 times').waitFor()
    await page.getByLabel('Old key').selectOption('3600')
    await page.getByLabel(/to confirm/).fill('another')
    await page.keyboard.press('Enter')
    await page.getByText(`The name doesn’t match “${name}”`).waitFor()
    expect(await page.getByLabel('Old key').inputValue()).toBe('3600')
    await page.getByLabel(/to confirm/).fill(name)
    await page.keyboard.press('Enter')
    const second = (await page.locator('#api-key').textContent()) ?? ''
    expect([await keyStatus(first), await keyStatus(second)]).toEqual([200, 200])
    await page.getByText('The old key works until').waitFor()

    // The page with a key is not sent again: there is no third key.
    await page.reload()
    await page.getByText('Works until').waitFor()
    expect([await keyStatus(first), await keyStatus(second)]).toEqual([200, 200])
    await page.getByRole('link', { name: 'Revoke key' }).press('Enter')
    await page.getByLabel(/to confirm/).fill(name)
    await page.keyboard.press('Enter')
    await page.getByRole('status').getByText('API key revoked.').waitFor()
    await page.reload()
    expect(await page.getByText('API key revoked.').count()).toBe(0)
    await page.getByText('Revoked').waitFor()
    expect([await keyStatus(first), await keyStatus(second)]).toEqual([401, 401])

    await page.getByRole('link', { name: 'Remove application' }).press('Enter')
    await page.getByLabel(/to confirm/).fill(name)
    await page.keyboard.press('Enter')
    await page.waitForURL(`${service.url}/admin/labels`)
    expect((await service.request('GET', `/v3/labels/${id}`, { token })).status).toBe(404)
    // The page that said that the name was wrong.
    expect(faults).toEqual([expect.stringContaining('status of 422')])
  })

  test('an organization with labels is not removed, one without is', async () => {
    const { service } = administration
    const token = await service.login()
    const label = await createLabel(service, token)
    const { page, goTo } = await administration.openLoggedIn(`organizations/${label.orgId}/remove`)
    await page.getByRole('link', { name: 'Remove its applications' }).waitFor()
    expect(await page.getByLabel(/to confirm/).count()).toBe(0)
    await service.request('DELETE', `/v3/labels/${label.id}`, { token })
    await page.reload()
    const name = await page.getByText('to confirm').textContent()
    const own = /“(.*)”/.exec(name ?? '')?.[1] ?? ''
    await page.getByLabel(/to confirm/).fill(own)
    await page.keyboard.press('Enter')
    await page.waitForURL(`${service.url}/admin/organizations`)
    await goTo(`organizations/${label.orgId}`)
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Not found')
  })

  test.each(['organizations', 'labels'])(
    'the second of two editors who rename one of the %s sees both names, and chooses',
    async (kind) => {
      const { service } = administration
      const token = await service.login()
      const { id: labelId, orgId, name } = await createLabel(service, token)
      const id = kind === 'labels' ? labelId : orgId
      const { page } = await administration.openLoggedIn(`${kind}/${id}`)
      const body = kind === 'labels' ? { id, orgId, name: `${name} one` } : { id, name: 'One' }
      await service.request('PUT', `/v3/${kind}`, { token, body })
      await page.locator('#name').fill('Another')
      await page.keyboard.press('Enter')
      await page.getByRole('alert').getByText('Someone else changed this.').waitFor()
      const row = page.getByRole('row').filter({ hasText: 'Name' })
      expect(await row.getByRole('cell').allTextContents()).toEqual([body.name, 'Another'])
      await expectAccessible(page)
      await page.getByRole('button', { name: 'Overwrite' }).press('Enter')
      await page.getByRole('heading', { level: 1, name: 'Another' }).waitFor()
    },
  )

  test('markup in stored names is shown as text', async () => {
    proves('stored-name-markup')
    const { service } = administration
    const name = '<img src=x onerror=alert(1)>"\'&lt;'
    const { id, orgId } = await createLabel(service, await service.login(), { name })
    const { page, faults, goTo } = await administration.openLoggedIn(`labels/${id}`)
    for (const to of [`labels/${id}`, `labels/${id}/remove`, 'labels', `organizations/${orgId}`]) {
      await goTo(to)
      expect(await page.locator('main').textContent()).toContain(name)
      expect(await page.locator('img').count()).toBe(0)
    }
    expect(faults).toEqual([])
  })

  test('lists are searched, paged, and say what to do when they are empty', async () => {
    const { service } = administration
    const token = await service.login()
    for (let n = 1; n <= 21; n += 1) {
      const body = { name: `Paged ${String(n).padStart(2, '0')}` }
      await service.request('PUT', '/v3/organizations', { token, body })
    }
    const { page } = await administration.openLoggedIn('organizations?name=PAGED')
    await page.getByText('Page 1 of 2, 21 in total').waitFor()
    await page.getByRole('link', { name: 'Next' }).press('Enter')
    await page.getByText('Page 2 of 2').waitFor()
    expect(await page.getByRole('row').count()).toBe(2)
    await page.getByLabel('Name').first().fill('nobody has this')
    await page.keyboard.press('Enter')
    await page.getByText('No matching organizations.').waitFor()
  })

  test.each(['light', 'dark'] as const)(
    'the pages have no fault that axe finds, in %s, and fit a narrow window',
    async (colorScheme) => {
      const { service } = administration
      const { id, orgId } = await createLabel(service, await service.login())
      const viewport = { width: 320, height: 640 }
      const { page, faults, goTo } = await administration.openLoggedIn('', {
        colorScheme,
        viewport,
      })
      for (const to of [
        'organizations',
        `organizations/${orgId}`,
        `organizations/${orgId}/remove`,
        'labels',
        'labels/new',
        `labels/${id}`,
        `labels/${id}/rotate`,
        `labels/${id}/revoke`,
        `labels/${id}/remove`,
      ]) {
        await goTo(to)
        await expectAccessible(page, colorScheme)
        await expectNoSidewaysScroll(page)
      }
      expect(faults).toEqual([])
    },
  )
})
