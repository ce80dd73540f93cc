/** Versions in the admin console, in Chromium. */
import { existsSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { headlessProgram } from '../../../test/bed/chromium.ts'
import { proves } from '../../../test/bed/proves.ts'
import type { Json } from '../../../test/bed/service-request.ts'
import { createVersion, getData } from '../harness/arrange.ts'
import { createDevice } from '../harness/device.ts'
import {
  type Administration,
  expectAccessible,
  expectNoSidewaysScroll,
  startAdministration,
} from './administration.ts'

describe.runIf(existsSync(headlessProgram))('versions', () => {
  let administration: Administration
  beforeAll(async () => {
    administration = await startAdministration()
  })
  afterAll(() => administration?.stop())

  const send = async (method: string, path: string, body?: Json) => {
    const { service } = administration
    return service.request(method, path, { token: await service.login(), body })
  }
  const read = async (id: string) => getData(await send('GET', `/v3/versions/${id}`))
  const create = async (overrides: Json = {}) =>
    createVersion(administration.service, await administration.service.login(), overrides)

  /** A version with a device on Linux, for which it has an installer, and one on Windows, for which nothing has. */
  async function createFleet(overrides: Json = {}): Promise<string> {
    const version = await create(overrides)
    await createDevice(administration.service, version, { platform: 'UNIX' })
    await createDevice(administration.service, version, { platform: 'WIN32' })
    return version.id
  }

  const confirmWith = async (page: Page, text: string) => {
    await page.getByLabel(/to confirm/).fill(text)
    await page.keyboard.press('Enter')
  }

  test.each([true, false])(
    'a version is registered by keyboard alone, and its key is shown once, with scripts: %s',
    async (javaScriptEnabled) => {
      proves('version-form')
      const id = `0.9.${javaScriptEnabled ? 1 : 0}`
      const { page, faults, goTo } = await administration.openLoggedIn('versions', {
        javaScriptEnabled,
      })
      await page.getByRole('link', { name: 'Register version' }).press('Enter')
      await page.getByLabel('Version', { exact: true }).focus()
      await page.keyboard.type(id)
      await page.locator('#uri-UNIX').focus()
      await page.keyboard.type('https://downloads.example/a.deb')
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: `Installation key for ${id}` }).waitFor()
      const key = (await page.locator('#installation-key').textContent()) ?? ''
      const checked = await administration.service.request('GET', '/v3/devices/installation-key', {
        headers: { apikey: key },
      })
      expect(checked.status).toBe(200)
      await page.getByRole('link', { name: 'I’ve saved the key' }).press('Enter')
      await page.getByRole('heading', { level: 1, name: `Version ${id}` }).waitFor()
      expect(await page.content()).not.toContain(key)
      await goTo('versions')
      const row = page.getByRole('row').filter({ hasText: id })
      expect(await row.getByRole('cell').first().textContent()).toBe('Allowed')
      expect(faults).toEqual([])
    },
  )

  test('what is wrong with a version is said beside its fields, and what was typed is kept', async () => {
    proves('field-errors')
    const { page } = await administration.openLoggedIn('versions/new')
    await page.getByLabel('Version', { exact: true }).fill('not a version')
    await page.locator('#uri-WIN64').fill('ftp://x')
    await page.locator('#uri-UNIX').fill('https://downloads.example/a.deb')
    await page.locator('#sha256-UNIX').fill('12')
    await page.getByRole('button', { name: 'Register version' }).press('Enter')
    await page.locator('#id-error').waitFor()
    expect(await page.locator('#uri-WIN64-error').textContent()).toContain('https')
    expect(await page.locator('#sha256-UNIX-error').textContent()).toContain('SHA-256')
    expect(await page.locator('#uri-UNIX-error').count()).toBe(0)
    expect(await page.locator('#id').inputValue()).toBe('not a version')
    expect(await page.locator('#uri-WIN64').inputValue()).toBe('ftp://x')
    await expectAccessible(page)
    const { id } = await create()
    await page.locator('#id').fill(id)
    await page.keyboard.press('Enter')
    await page.getByText(`Version ${id} is already registered`).waitFor()
  })

  test('a flag says how many devices it stops and how many have nowhere to go, before it is changed', async () => {
    proves('stopping-devices-confirmed', 'fleet-stopped', 'going-back')
    await create({ id: '0.9.5' })
    const id = await createFleet({ id: '0.9.6' })
    const { page } = await administration.openLoggedIn(`versions/${id}`)
    await page.getByRole('link', { name: 'Edit release settings' }).press('Enter')
    await page.getByLabel('Allowed').press('Space')
    await page.keyboard.press('Enter')
    await page
      .getByText('The connector will stop on 2 devices. No installer is available for 1 of them.')
      .waitFor()
    await page.getByText('1 device would go back to an earlier version.').waitFor()
    const rows = await page.getByRole('row').allTextContents()
    expect(rows).toHaveLength(3)
    expect(rows.join()).toMatch(/Linux1No update neededVersion blocked0\.9\.5/)
    expect(rows.join()).toMatch(/Windows, 32-bit1No update neededVersion blockedNo installer/)
    expect((await read(id)).allowed).toBe(true)
    await confirmWith(page, 'yes')
    await page.getByText(`The name doesn’t match “${id}”`).waitFor()
    expect((await read(id)).allowed).toBe(true)
    await confirmWith(page, id)
    await page.getByRole('heading', { level: 1, name: `Version ${id}` }).waitFor()
    expect(await read(id)).toMatchObject({ allowed: false, recommended: false })
  })

  test('a change is refused when it reaches more devices than the page said, and says the new number', async () => {
    proves('stopping-devices-confirmed', 'fleet-stopped')
    const id = await createFleet()
    const { page } = await administration.openLoggedIn(`versions/${id}/flags`)
    await page.getByLabel('Allowed').uncheck()
    await page.getByRole('button', { name: 'Review changes' }).press('Enter')
    await page.getByText('The connector will stop on 2 devices.').waitFor()
    const installationApiKey = crypto.randomUUID()
    const another = await create()
    getData(await send('PATCH', `/v3/versions/${another.id}?maxReach=99`, { installationApiKey }))
    await createDevice(administration.service, { id, installationApiKey }, { platform: 'UNIX' })
    await confirmWith(page, id)
    await page.getByText('it would now affect 3 devices').waitFor()
    await page.getByText('The connector will stop on 3 devices.').waitFor()
    expect((await read(id)).allowed).toBe(true)
    await confirmWith(page, id)
    await page.getByRole('heading', { level: 1, name: `Version ${id}` }).waitFor()
    expect((await read(id)).allowed).toBe(false)
  })

  test.each([
    ['Overwrite', { recommended: true, allowed: true }],
    ['Discard my changes', { recommended: false, allowed: false }],
  ])('the second of two editors sees both values, and chooses "%s"', async (choice, expected) => {
    proves('edit-conflict')
    const { id } = await create()
    const { page } = await administration.openLoggedIn(`versions/${id}/flags`)
    getData(await send('PATCH', `/v3/versions/${id}?maxReach=99`, { allowed: false }))
    await page.getByLabel('Suggested').check()
    await page.getByRole('button', { name: 'Review changes' }).press('Enter')
    await page.getByRole('alert').getByText('Someone else changed this').waitFor()
    const rows = await page.getByRole('row').allTextContents()
    expect(rows.slice(1).map((row) => row.replaceAll(/\s+/g, ' '))).toEqual([
      'Suggested NoYes',
      'Required sameNoNo',
      'Allowed NoYes',
    ])
    await expectAccessible(page)
    await page.getByText(choice).press('Enter')
    await page.getByRole('heading', { level: 1, name: `Version ${id}` }).waitFor()
    expect(await read(id)).toMatchObject(expected)
  })

  test('installers are changed; what is typed outlives another editor, and can be edited further', async () => {
    proves('field-errors')
    const { id } = await create()
    const { page } = await administration.openLoggedIn(`versions/${id}/installers`)
    getData(await send('PATCH', `/v3/versions/${id}?maxReach=99`, { recommended: true }))
    await page.locator('#uri-MACOS').fill('https://downloads.example/a.pkg')
    await page.getByRole('button', { name: 'Save installers' }).press('Enter')
    await page.getByRole('button', { name: 'Keep editing' }).press('Enter')
    expect(await page.locator('#uri-MACOS').inputValue()).toBe('https://downloads.example/a.pkg')
    await page.locator('#uri-UNIX').fill('')
    await page.getByRole('button', { name: 'Save installers' }).press('Enter')
    await page.getByRole('heading', { level: 1, name: `Version ${id}` }).waitFor()
    expect(await read(id)).toMatchObject({
      recommended: true,
      uris: [{ os: 'MACOS', uri: 'https://downloads.example/a.pkg' }],
    })
  })

  test('a mandatory version says whom it stops before it is registered', async () => {
    proves('stopping-devices-confirmed')
    await createFleet()
    const { page } = await administration.openLoggedIn('versions/new')
    await page.locator('#id').fill('0.9.9')
    await page.getByLabel('Required').check()
    await page.locator('#uri-UNIX').fill('https://downloads.example/a.deb')
    await page.getByRole('button', { name: 'Register version' }).press('Enter')
    await page.getByText(/The connector will stop on \d+ devices/).waitFor()
    await page.getByRole('button', { name: 'Back to editing' }).press('Enter')
    expect(await page.locator('#uri-UNIX').inputValue()).toBe('https://downloads.example/a.deb')
    await page.getByRole('button', { name: 'Register version' }).press('Enter')
    await confirmWith(page, '0.9.9')
    await page.getByRole('heading', { name: 'Installation key for 0.9.9' }).waitFor()
    expect((await read('0.9.9')).mandatory).toBe(true)
    getData(await send('DELETE', '/v3/versions/0.9.9?maxReach=99'))
  })

  test('a key is replaced and a version removed, each after its name was typed', async () => {
    proves('version-form')
    const id = await createFleet()
    const { page } = await administration.openLoggedIn(`versions/${id}`)
    await page.getByRole('link', { name: 'Replace installation key' }).press('Enter')
    await page.getByText('2 registered devices with this version keep working.').waitFor()
    await page.getByText('This can’t be undone. The service doesn’t keep the old key.').waitFor()
    await confirmWith(page, id)
    await page.locator('#installation-key').waitFor()
    await page.getByRole('link', { name: 'I’ve saved the key' }).press('Enter')
    await page.getByRole('link', { name: 'Remove version' }).press('Enter')
    await page.getByText('2 devices with this version won’t be able to sync').waitFor()
    await page.getByText('This can’t be undone. The history of the version').waitFor()
    await confirmWith(page, id)
    await page.waitForURL(`${administration.service.url}/admin/versions`)
    expect((await send('GET', `/v3/versions/${id}`)).status).toBe(404)
  })

  test.each(['light', 'dark'] as const)(
    'the pages have no fault that axe finds, in %s, and fit a narrow window',
    async (colorScheme) => {
      const id = await createFleet()
      const viewport = { width: 320, height: 640 }
      const { page, faults, goTo } = await administration.openLoggedIn('', {
        colorScheme,
        viewport,
      })
      for (const to of ['', '/flags', '/installers', '/key', '/remove'].map(
        (part) => `versions/${id}${part}`,
      )) {
        await goTo(to)
        await expectAccessible(page, colorScheme)
        await expectNoSidewaysScroll(page)
      }
      for (const to of ['versions', 'versions/new']) {
        await goTo(to)
        await expectAccessible(page, colorScheme)
        await expectNoSidewaysScroll(page)
      }
      await goTo(`versions/${id}/flags`)
      await page.getByLabel('Allowed').uncheck()
      await page.getByRole('button', { name: 'Review changes' }).press('Enter')
      await page.getByText('The connector will stop on 2 devices.').waitFor()
      await expectAccessible(page, colorScheme)
      await expectNoSidewaysScroll(page)
      expect(faults).toEqual([])
    },
  )
})
