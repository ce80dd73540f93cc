/** From an empty service to a registered connector, in Chromium alone, by the keyboard. */
import { existsSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { headlessProgram } from '../../../test/bed/chromium.ts'
import { proves } from '../../../test/bed/proves.ts'
import { addAccount } from '../harness/accounts.ts'
import { createDevice } from '../harness/device.ts'
import { openPageSession, sendLogin } from '../harness/page-session.ts'
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
    expect(text).toContain('You don’t have permission to do this.')
    expect(text).not.toContain('action="first-use')
  })

  test('leads from the first login to a registered connector', async () => {
    proves('first-use')
    const { service } = administration
    await opened.goTo('')
    await logIn(page)
    await heading('First steps')
    await expectAccessible(page)

    await fill('Organization name', 'Example Bank')
    await press('Add organization')
    await fill('Application name', 'Web Shop')
    await press('Add application and show its key')
    await heading('Application “Web Shop” added')
    const apikey = (await page.locator('#api-key').textContent()) ?? ''
    const exchange = await service.request('GET', '/v3/tokens/application', { headers: { apikey } })
    expect(exchange.status).toBe(200)
    await page.getByRole('link', { name: 'Continue' }).press('Enter')

    await fill('Version', '4.0.0')
    await press('Register version')
    await page
      .getByRole('alert')
      .filter({ hasText: 'Add an installer for at least one operating system' })
      .waitFor()
    await fill('Version', 'four')
    await fill('Installer for Linux', 'https://downloads.example/cardwire.deb')
    await press('Register version')
    expect(await page.getByLabel('Version', { exact: true }).getAttribute('aria-invalid')).toBe(
      'true',
    )
    expect(await page.getByLabel('Installer for Linux').inputValue()).toContain('cardwire.deb')
    await expectAccessible(page)
    await fill('Version', 'v4.0.0')
    await fill('Installer for Linux', 'downloads.example/cardwire.deb')
    await press('Register version')
    await heading('Version 4.0.0 registered')
    const installationApiKey = (await page.locator('#installation-key').textContent()) ?? ''
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Continue' }).press('Enter')

    // Whatever else there is, it leads to the first steps until a connector has registered.
    const location = (await sendLogin(service)).headers.get('location')
    expect(location).toContain('first-use')
    await fill('Origins', 'shop.example/cart, *.bank.example')
    await press('Allow these sites')
    const { items } = await service.admin('GET', '/v3/configurations')
    expect(items[0].config.cors).toEqual(['https://shop.example', 'https://*.bank.example'])
    const state = page.locator('[data-live]')
    await state.filter({ hasText: 'No connectors have registered or been rejected yet.' }).waitFor()
    for (const place of [
      'HKLM\\SOFTWARE\\Cardwire',
      '/etc/cardwire/cardwire.conf',
      'defaults write',
    ])
      await page.getByText(place).waitFor()
    await expectAccessible(page)

    await service.request('POST', '/v3/devices', { headers: { apikey: crypto.randomUUID() } })
    await state.filter({ hasText: 'was rejected on' }).waitFor()
    await createDevice(service, { id: '4.0.0', installationApiKey })
    await state.filter({ hasText: 'A connector has registered' }).waitFor()
    await page.getByRole('link', { name: 'Refresh' }).press('Enter')
    await page.getByRole('status').filter({ hasText: 'Setup complete.' }).waitFor()
    expect((await sendLogin(service)).headers.get('location')).toBe('./')
    // The form that was refused is the only one.
    expect(opened.faults.filter((fault) => !fault.includes('400'))).toEqual([])
  })
})
