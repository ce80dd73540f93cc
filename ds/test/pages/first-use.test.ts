/** From an empty service to a registered connector, in Chromium alone, by the keyboard. */
import { existsSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { headlessProgram } from '../../../test/bed/chromium.ts'
import { proves } from '../../../test/bed/proves.ts'
import { addAccount } from '../harness/accounts.ts'
import { createDevice } from '../harness/device.ts'
import { openPageSession } from '../harness/page-session.ts'
import {
  type Administration,
  expectAccessible,
  logIn,
  type OpenPage,
  startAdministration,
} from './administration.ts'

describe.runIf(existsSync(headlessProgram))('first use', () => {
  let administration: Administration
  let opened: OpenPage
  let page: Page
  beforeAll(async () => {
    administration = await startAdministration()
    opened = await administration.open()
    page = opened.page
  })
  afterAll(() => administration?.stop())

  const fill = async (label: string, value: string) => {
    await page.getByLabel(label, { exact: true }).fill(value)
  }
  const press = (name: string) => page.getByRole('button', { name }).press('Enter')
  const heading = (name: string | RegExp) => page.getByRole('heading', { name }).waitFor()

  test('shows a viewer where it stands, and no form of a step', async () => {
    const { service } = administration
    const viewer = await addAccount(service, 'viewer')
    const { text } = await (await openPageSession(service, viewer)).get('first-use')
    expect(text).toContain('Your role is not enough for this step.')
    expect(text).not.toContain('action="first-use')
  })

  test('leads from the first login to a registered connector', async () => {
    proves('first-use')
    const { service } = administration
    await opened.goTo('')
    await logIn(page)
    await heading('First steps')
    await expectAccessible(page)

    await fill('Name of the organization', 'Example Bank')
    await press('Create the organization')
    await fill('Name of the application', 'Web Shop')
    await press('Create the label')
    await heading('The label "Web Shop" is there')
    const apikey = (await page.locator('#api-key').textContent()) ?? ''
    const exchange = await service.request('GET', '/v3/tokens/application', { headers: { apikey } })
    expect(exchange.status).toBe(200)
    await page.getByRole('link', { name: 'Go on' }).press('Enter')

    await fill('Version', '4.0.0')
    await press('Register the version')
    await page.getByRole('alert').filter({ hasText: 'give the installer of one system' }).waitFor()
    await fill('Version', 'four')
    await fill('Installer for Linux', 'https://downloads.example/cardwire.deb')
    await press('Register the version')
    expect(await page.getByLabel('Version', { exact: true }).getAttribute('aria-invalid')).toBe(
      'true',
    )
    expect(await page.getByLabel('Installer for Linux').inputValue()).toContain('cardwire.deb')
    await expectAccessible(page)
    await fill('Version', '4.0.0')
    await press('Register the version')
    await heading('Version 4.0.0 is there')
    const installationApiKey = (await page.locator('#installation-key').textContent()) ?? ''
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Go on' }).press('Enter')

    await fill('Origins', 'https://shop.example, https://*.bank.example')
    await press('Allow these pages')
    const { items } = await service.admin('GET', '/v3/configurations')
    expect(items[0].config.cors).toEqual(['https://shop.example', 'https://*.bank.example'])
    const state = page.locator('[data-live]')
    await state.filter({ hasText: 'none was refused' }).waitFor()
    await expectAccessible(page)

    await service.request('POST', '/v3/devices', { headers: { apikey: crypto.randomUUID() } })
    await state.filter({ hasText: 'was refused at' }).waitFor()
    await createDevice(service, { id: '4.0.0', installationApiKey })
    await state.filter({ hasText: 'A connector has registered' }).waitFor()
    await page.getByRole('link', { name: 'Look again' }).press('Enter')
    await page.getByRole('status').filter({ hasText: 'Everything is there' }).waitFor()
    // The form that was refused is the only one.
    expect(opened.faults.filter((fault) => !fault.includes('400'))).toEqual([])
  })
})
