/** Configurations in the admin console, in Chromium. */
import { existsSync } from 'node:fs'
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

const sha256 = 'ab'.repeat(32)
const aids = ['A0000000031010', 'D27600012401']
const cards = {
  grants: [{ origin: 'https://shop.example', allow: ['raw', 'page-pin'], aids }],
  libraries: [{ os: 'UNIX', path: '/usr/lib/x.so', sha256, atrs: ['3BF8'], ownReaders: true }],
  folders: [
    { origin: 'https://shop.example', entity: 'shop', type: 'invoices', path: '/srv/invoices' },
  ],
}

describe.runIf(existsSync(headlessProgram))('configurations', () => {
  let administration: Administration
  beforeAll(async () => {
    administration = await startAdministration()
  })
  afterAll(() => administration?.stop())

  const send = async (method: string, path: string, body?: Json) => {
    const { service } = administration
    return service.request(method, path, { token: await service.login(), body })
  }
  const read = async (id: string) => getData(await send('GET', `/v3/configurations/${id}`))
  const createOne = async (): Promise<Json> =>
    createVersion(administration.service, await administration.service.login())
  const configure = async (versionId: string, type: string, config: Json): Promise<Json> =>
    getData(await send('PUT', '/v3/configurations?maxReach=99', { type, versionId, config }))
  const listOf = async (versionId: string): Promise<Json[]> =>
    getData(await send('GET', `/v3/configurations?versionId=${versionId}`)).items

  test.each([true, false])(
    'an allowlist and words for cards are written by keyboard alone, with scripts: %s',
    async (javaScriptEnabled) => {
      proves('allowlist-form')
      const { id } = await createOne()
      const { page, faults } = await administration.openLoggedIn(`versions/${id}`, {
        javaScriptEnabled,
      })
      await page.getByRole('link', { name: 'Add allowlist and card permissions' }).press('Enter')
      await page.locator('#cors').focus()
      await page.keyboard.type('https://shop.example\nhttps://*.bank.example')
      await page.locator('#grant-0-origin').focus()
      await page.keyboard.type('https://shop.example')
      for (const grant of ['raw', 'page-pin'])
        await page.locator(`#grant-0-${grant}`).press('Space')
      await page.locator('#grant-0-aids').focus()
      await page.keyboard.type(aids.join('\n'))
      await page.locator('#library-0-path').fill('/usr/lib/x.so')
      await page.locator('#library-0-sha256').fill(sha256)
      await page.locator('#library-0-atrs').fill('3BF8')
      await page.locator('#library-0-ownReaders').press('Space')
      for (const [name, value] of Object.entries(cards.folders[0] ?? {}))
        await page.locator(`#folder-0-${name}`).fill(value)
      await page.getByRole('button', { name: 'Add configuration' }).press('Enter')
      await page.getByRole('heading', { level: 1, name: `Version ${id}` }).waitFor()
      const [stored] = await listOf(id)
      expect(stored.config).toEqual({
        cors: ['https://shop.example', 'https://*.bank.example'],
        cards,
      })
      await page
        .getByRole('link', { name: 'Allowlist and card permissions', exact: true })
        .press('Enter')
      await page.locator('#grant-0-page-pin').press('Space')
      await page.locator('#library-0-path').fill('')
      await page.locator('#library-0-sha256').fill('')
      await page.locator('#library-0-atrs').fill('')
      await page.getByRole('button', { name: 'Save' }).press('Enter')
      await page.locator('#library-0-path[value=""]').waitFor()
      const grants = [{ origin: 'https://shop.example', allow: ['raw'], aids }]
      expect((await read(stored.id)).config.cards).toEqual({ ...cards, grants, libraries: [] })
      expect(faults).toEqual([])
    },
  )

  test('what is wrong is said beside its field, with the line, and what was typed is kept', async () => {
    proves('allowlist-form')
    const { id: versionId } = await createOne()
    const { page } = await administration.openLoggedIn(
      `configurations/new?versionId=${versionId}&type=CONTEXT_CONFIG`,
    )
    await page.locator('#cors').fill('https://shop.example\nno origin')
    await page.locator('#grant-0-origin').fill('https://*.bank.example')
    await page.locator('#grant-0-aids').fill('A0000000031010\nA000')
    await page.getByRole('button', { name: 'Add configuration' }).press('Enter')
    await page.locator('#cors-error').getByText('Line 2: ').waitFor()
    expect(await page.locator('#grant-0-origin-error').textContent()).toContain('without *')
    expect(await page.locator('#grant-0-aids-error').textContent()).toMatch(/^Line 2: .*5 to 16/)
    expect(await page.locator('#cors').inputValue()).toBe('https://shop.example\nno origin')
    expect(await page.locator('#grant-0-origin').inputValue()).toBe('https://*.bank.example')
    await expectAccessible(page)
    expect(await listOf(versionId)).toEqual([])
  })

  test('of two editors of an allowlist the second sees both, and nothing typed is lost', async () => {
    proves('allowlist-form', 'edit-overwritten')
    const { id: versionId } = await createOne()
    const { id } = await configure(versionId, 'CONTEXT_CONFIG', { cors: ['https://a.example'] })
    const first = await administration.openLoggedIn(`configurations/${id}`)
    const second = await administration.openLoggedIn(`configurations/${id}`)
    await first.page.locator('#cors').fill('https://a.example\nhttps://first.example')
    await first.page.getByRole('button', { name: 'Save' }).press('Enter')
    await expect.poll(async () => (await read(id)).revision).toBe(2)
    await second.page.locator('#cors').fill('https://a.example\nhttps://second.example')
    await second.page.locator('#grant-0-origin').fill('https://second.example')
    await second.page.locator('#grant-0-bulk').press('Space')
    await second.page.getByRole('button', { name: 'Save' }).press('Enter')
    await second.page.getByRole('alert').getByText('Someone else changed this').waitFor()
    const cells = await second.page.getByRole('cell').allTextContents()
    expect(cells.slice(0, 2)).toEqual([
      'https://a.example\nhttps://first.example',
      'https://a.example\nhttps://second.example',
    ])
    expect((await read(id)).config.cors).toContain('https://first.example')
    await expectAccessible(second.page)
    await second.page.getByRole('button', { name: 'Keep editing' }).press('Enter')
    expect(await second.page.locator('#grant-0-origin').inputValue()).toBe('https://second.example')
    expect(await second.page.locator('#grant-0-bulk').isChecked()).toBe(true)
    await second.page.locator('#cors').fill('https://first.example\nhttps://second.example')
    await second.page.getByRole('button', { name: 'Save' }).press('Enter')
    await expect.poll(async () => (await read(id)).revision).toBe(3)
    expect((await read(id)).config).toMatchObject({
      cors: ['https://first.example', 'https://second.example'],
      cards: { grants: [{ origin: 'https://second.example', allow: ['bulk'] }] },
    })
  })

  test('file digests are lines as sha256sum writes them, with a system where there is one', async () => {
    proves('digests-keystores-form')
    const { id: versionId } = await createOne()
    const { page } = await administration.openLoggedIn(
      `configurations/new?versionId=${versionId}&type=FILE_DIGESTS`,
    )
    await page
      .locator('#files')
      .fill(`${sha256}  bin/a file\nUNIX sha256:${sha256} lib/x.so\n12 bin/y`)
    await page.getByRole('button', { name: 'Add configuration' }).press('Enter')
    await page.locator('#files-error').getByText('Line 3: ').waitFor()
    await page.locator('#files').fill(`${sha256}  bin/a file\nUNIX sha256:${sha256} lib/x.so`)
    await page.getByRole('button', { name: 'Add configuration' }).press('Enter')
    await page.getByRole('heading', { level: 1, name: `Version ${versionId}` }).waitFor()
    const [{ config }] = await listOf(versionId)
    expect(config.files).toEqual([
      { path: 'bin/a file', digest: `sha256:${sha256}` },
      { path: 'lib/x.so', digest: `sha256:${sha256}`, os: 'UNIX' },
    ])
  })

  test('a keystore keeps its password when none is typed, not at another URL, and no page shows it', async () => {
    proves('digests-keystores-form', 'keystore-password-shown')
    const { id: versionId } = await createOne()
    const password = 'the-password-of-the-keystore'
    const { page } = await administration.openLoggedIn(
      `configurations/new?versionId=${versionId}&type=SSL_KEYSTORE`,
    )
    await page.locator('#uri').fill('ftp://x')
    await page.locator('#password').fill(password)
    await page.keyboard.press('Enter')
    await page.locator('#uri-error').waitFor()
    expect(await page.content()).not.toContain(password)
    await page.locator('#uri').fill('https://downloads.example/1.p12')
    await page.locator('#digest').fill(sha256)
    await page.locator('#password').fill(password)
    await page.keyboard.press('Enter')
    await page.getByRole('main').getByRole('link', { name: 'Keystore' }).press('Enter')
    expect(await page.content()).not.toContain(password)
    await page.locator('#uri').fill('https://downloads.example/2.p12')
    await page.keyboard.press('Enter')
    await page.locator('#password-error').waitFor()
    await page.locator('#password').fill(password)
    await page.keyboard.press('Enter')
    await page.waitForURL(/saved=2$/)
    expect(await page.content()).not.toContain(password)
    await page.locator('#digest').fill(sha256)
    await page.keyboard.press('Enter')
    await page.waitForURL(/saved=3$/)
    const [{ id, config }] = await listOf(versionId)
    expect(config).toEqual({ uri: 'https://downloads.example/2.p12', digest: sha256 })
    const { items } = getData(await send('GET', `/v3/audit?kind=configuration&id=${id}`))
    expect(items.slice(0, 2).map(({ fields }: Json) => fields)).toEqual([
      ['config.digest'],
      ['config.uri', 'config.digest', 'config.password'],
    ])
  })

  test('a password that was typed is not on the page of the second of two editors, who types it again', async () => {
    proves('keystore-password-shown')
    const { id: versionId } = await createOne()
    const uri = 'https://downloads.example/1.p12'
    const { id } = await configure(versionId, 'SSL_KEYSTORE', { uri, password: 'first' })
    const { page } = await administration.openLoggedIn(`configurations/${id}`)
    getData(
      await send('PATCH', `/v3/configurations/${id}?maxReach=99`, { config: { digest: sha256 } }),
    )
    const password = 'another-password-of-the-keystore'
    await page.locator('#password').fill(password)
    await page.keyboard.press('Enter')
    await page.getByText('New password').waitFor()
    expect(await page.content()).not.toContain(password)
    expect(await page.getByRole('button', { name: 'Overwrite' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Keep editing' }).press('Enter')
    await page.locator('#password').fill(password)
    await page.keyboard.press('Enter')
    await expect.poll(async () => (await read(id)).revision).toBe(3)
  })

  test('configurations are copied to the next version, compared with it, and removed after its name was typed', async () => {
    proves('configurations-form')
    const { service } = administration
    const version = await createOne()
    const { id: to } = await createOne()
    await createDevice(service, version, { platform: 'UNIX' })
    await configure(version.id, 'CONTEXT_CONFIG', { cors: ['https://a.example'] })
    const { page } = await administration.openLoggedIn(
      `configurations/copy?from=${version.id}&to=9.9.9`,
    )
    await page.getByRole('button', { name: 'Copy configurations' }).press('Enter')
    await page.getByRole('alert').getByText('9.9.9').waitFor()
    await page.getByLabel('To version').fill(to)
    await page.getByRole('button', { name: 'Copy configurations' }).press('Enter')
    await page.getByRole('heading', { level: 1, name: `Version ${to}` }).waitFor()
    const [copy] = await listOf(to)
    await page.getByRole('status').getByText('Added.').waitFor()
    expect(await page.getByRole('link', { name: 'Undo' }).getAttribute('href')).toBe(
      `configurations/${copy.id}/remove`,
    )
    const cors = ['https://a.example', 'https://b.example']
    getData(await send('PATCH', `/v3/configurations/${copy.id}?maxReach=99`, { config: { cors } }))
    await page.getByRole('link', { name: 'Compare with another version' }).press('Enter')
    await page.getByLabel('Version', { exact: true }).fill(version.id)
    await page.keyboard.press('Enter')
    const cells = page.getByRole('cell')
    await cells.first().waitFor()
    expect(await cells.allTextContents()).toEqual(['', 'https://b.example'])

    const [original] = await listOf(version.id)
    await page.goto(`${service.url}/admin/configurations/${original.id}/remove`)
    const removed = page.getByRole('table', { name: 'What changes' }).getByRole('cell')
    expect(await removed.allTextContents()).toEqual(['https://a.example', ''])
    await page
      .getByText(
        '1 device loses this configuration at its next sync. 1 site will lose access to card readers.',
      )
      .waitFor()
    await page.getByLabel(/to confirm/).fill(version.id)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: `Version ${version.id}` }).waitFor()
    expect(await listOf(version.id)).toEqual([])
  })

  test.each(['light', 'dark'] as const)(
    'the pages have no fault that axe finds, in %s, and fit a narrow window',
    async (colorScheme) => {
      const { id: versionId } = await createOne()
      const cors = ['https://a.example']
      const { id } = await configure(versionId, 'CONTEXT_CONFIG', { cors, cards })
      const { id: other } = await createOne()
      await configure(other, 'SSL_KEYSTORE', { uri: 'https://a.example/k.p12', password: 'x' })
      const viewport = { width: 320, height: 640 }
      const { page, faults, goTo } = await administration.openLoggedIn('', {
        colorScheme,
        viewport,
      })
      for (const to of [
        'configurations',
        `configurations/${id}`,
        `configurations/${id}/remove`,
        `configurations/new?versionId=${versionId}&type=FILE_DIGESTS`,
        `configurations/new?versionId=${versionId}&type=SSL_KEYSTORE`,
        `configurations/copy?from=${versionId}`,
        `configurations/difference?from=${versionId}&to=${other}`,
      ]) {
        await goTo(to)
        await expectAccessible(page, colorScheme)
        await expectNoSidewaysScroll(page)
      }
      expect(faults).toEqual([])
    },
  )
})
