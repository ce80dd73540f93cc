/** What the script of a form with a file shows for each answer, and keystores for versions that devices have, in Chromium. */
import { existsSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { headlessProgram } from '../../../test/bed/chromium.ts'
import { readKeystoreFile } from '../../../test/bed/keystore-file.ts'
import { proves } from '../../../test/bed/proves.ts'
import type { Json } from '../../../test/bed/service-request.ts'
import { createVersion, getData, uploadKeystore } from '../harness/arrange.ts'
import { createDevice } from '../harness/device.ts'
import { type Administration, expectAccessible, startAdministration } from './administration.ts'

describe.runIf(existsSync(headlessProgram))('the answers to an upload', () => {
  let administration: Administration
  beforeAll(async () => {
    // Every review asks for the name.
    administration = await startAdministration({ DS_REVIEW_SHARE: '0' })
  })
  afterAll(() => administration?.stop())

  const send = async (method: string, path: string, body?: Json) => {
    const { service } = administration
    return service.request(method, path, { token: await service.login(), body })
  }

  const choose = (page: Page, name: string, bytes: Uint8Array) =>
    page
      .locator('#file')
      .setInputFiles({ name, mimeType: 'application/octet-stream', buffer: Buffer.from(bytes) })

  /** A version that a device has. */
  async function arrange() {
    const { service } = administration
    const version = await createVersion(service, await service.login())
    await createDevice(service, version, { platform: 'UNIX' })
    return version.id
  }

  const findKeystore = async (versionId: string) => {
    const path = `/v3/configurations?versionId=${versionId}&type=SSL_KEYSTORE`
    return getData(await send('GET', path)).items[0]
  }

  /** The rows of what changes, each as the texts of its cells: the part, what is removed, what is added. */
  const readChanges = async (page: Page) => {
    const rows = await page.getByRole('table', { name: 'What changes' }).getByRole('row').all()
    return Promise.all(rows.slice(1).map((row) => row.locator('th, td').allTextContents()))
  }

  test.each([true, false])(
    'the first keystore of a version that a device has is saved after its review, with scripts: %s',
    async (javaScriptEnabled) => {
      proves('keystore-form', 'change-reviewed', 'keystore-reviewed')
      const versionId = await arrange()
      const { page, faults } = await administration.openLoggedIn(`keystore?version=${versionId}`, {
        javaScriptEnabled,
      })
      await page.getByLabel('Keystore password').fill('s3cret')
      await choose(page, `${versionId}.p12`, readKeystoreFile())
      await page.getByRole('button', { name: 'Save keystore' }).press('Enter')
      await page.getByRole('heading', { level: 1, name: 'Review changes' }).waitFor()
      await page.getByText('1 device receives this change at its next sync.').waitFor()
      expect(await page.title()).toContain('Review changes')
      expect(await page.content()).not.toContain('s3cret')
      expect(await findKeystore(versionId)).toBe(undefined)
      if (javaScriptEnabled) await expectAccessible(page)
      const changes = await readChanges(page)
      expect(changes).toContainEqual(['Password', '', 'New password'])
      expect(changes).toContainEqual([
        'Host names',
        '',
        'connector.example.com\n*.desk.example.com\n192.0.2.7',
      ])
      expect(changes).toContainEqual([
        'Expires',
        '',
        expect.stringMatching(/^Nov 4, 2126, 7:16\sAM UTC$/),
      ])
      await page.getByLabel('Re-enter keystore password').fill('s3cret')
      await page.getByLabel(/to confirm/).fill(versionId)
      await page.keyboard.press('Enter')
      await page.getByRole('status').getByText('Added.').waitFor()
      expect((await findKeystore(versionId)).config.uri).toBe(`file:///${versionId}.p12`)
      expect(faults).toEqual([])
    },
  )

  test('a keystore in place of another is saved after its review, which shows both certificates', async () => {
    proves('keystore-form', 'keystore-reviewed', 'keystore-password-shown')
    const versionId = await arrange()
    const { service } = administration
    const { uri } = await uploadKeystore(service, await service.login(), {
      body: readKeystoreFile('open-other.p12'),
    })
    const config = { uri, password: 'first' }
    getData(await send('PUT', '/v3/configurations', { versionId, type: 'SSL_KEYSTORE', config }))
    const { page } = await administration.openLoggedIn(`keystore?version=${versionId}`)
    await page.getByLabel('Keystore password').fill('s3cret')
    await choose(page, `${versionId}.p12`, readKeystoreFile())
    await page.getByRole('button', { name: 'Save keystore' }).press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Review changes' }).waitFor()
    expect(await page.content()).not.toContain('s3cret')
    const changes = await readChanges(page)
    expect(changes).toContainEqual(['Password', 'Current password', 'New password'])
    expect(changes).toContainEqual([
      'Host names',
      'other.example.com',
      'connector.example.com\n*.desk.example.com\n192.0.2.7',
    ])
    await page.getByLabel('Re-enter keystore password').fill('s3cret')
    await page.getByLabel(/to confirm/).fill(versionId)
    await page.keyboard.press('Enter')
    await page.getByRole('status').getByText('Saved.').waitFor()
    expect((await findKeystore(versionId)).config.uri).toBe(`file:///${versionId}.p12`)
  })

  const page200 = '<title>Other</title><main id="main" tabindex="-1"><h1>Other page</h1></main>'
  const notConfirmed =
    'The server didn’t confirm the upload. Check whether the file was saved, then try again.'

  test.each([
    ['a page of the service', 200, page200, 'Other page'],
    ['a page of the service for a file that is too large', 413, page200, 'Other page'],
    ['a page of the service for an error', 500, page200, 'Other page'],
    ['a page of a proxy', 200, '<h1>Sign in</h1>', `${notConfirmed} (HTTP 200)`],
    ['a proxy that takes no large file', 413, '<h1>413</h1>', 'The file is too large (2.5 MB).'],
    ['a proxy that does not reach the service', 502, '<h1>502</h1>', `${notConfirmed} (HTTP 502)`],
    ['a proxy that says nothing', 504, '', `${notConfirmed} (HTTP 504)`],
    ['a problem of the API', 503, '{"success":false}', `${notConfirmed} (HTTP 503)`],
  ])('the answer of %s is shown, status %i', async (_, status, body, text) => {
    proves('upload-answered')
    const { page } = await administration.openLoggedIn('installers')
    await page.route(`${administration.service.url}/admin/installers`, (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({
            status,
            body,
            contentType: body.startsWith('{') ? 'application/problem+json' : 'text/html',
          })
        : route.continue(),
    )
    await choose(page, 'cardwire.deb', Buffer.alloc(2_500_000))
    await page.getByRole('button', { name: 'Upload installer' }).press('Enter')
    await page.getByRole('main').getByText(text, { exact: true }).waitFor()
    await expectShown(page, body === page200)
  })

  /** A page is shown in place of the form; without one, the form can be sent again. */
  async function expectShown(page: Page, isPage: boolean) {
    if (isPage) {
      expect(await page.title()).toBe('Other')
      expect(await page.evaluate('document.activeElement.id')).toBe('main')
      await page.goBack()
    }
    const button = page.getByRole('button', { name: 'Upload installer' })
    await button.waitFor()
    expect(await button.isEnabled()).toBe(true)
    const count = await page.evaluate("document.querySelector('#file').files.length")
    expect(count).toBe(isPage ? 0 : 1)
  }

  test('an upload after the session has ended leads to the login', async () => {
    proves('upload-answered')
    const { page } = await administration.openLoggedIn('installers')
    await page.context().clearCookies()
    await choose(page, 'cardwire.deb', Buffer.alloc(1000))
    await page.getByRole('button', { name: 'Upload installer' }).press('Enter')
    await page.waitForURL(/\/admin\/login$/)
    await page.getByLabel('User name').waitFor()
  })

  test('an upload without a network says so, and the form can be sent again', async () => {
    proves('upload-answered')
    const { page } = await administration.openLoggedIn('installers')
    await page.context().setOffline(true)
    await choose(page, 'cardwire.deb', Buffer.alloc(1000))
    await page.getByRole('button', { name: 'Upload installer' }).press('Enter')
    await page.getByText('The connection was lost. Nothing was saved. Try again.').waitFor()
    await page.context().setOffline(false)
    await page.getByRole('button', { name: 'Upload installer' }).press('Enter')
    await page.getByRole('heading', { level: 1, name: 'cardwire.deb' }).waitFor()
  })

  test('a connection that is lost behind the last byte does not say that nothing was saved', async () => {
    proves('upload-answered')
    const { page } = await administration.openLoggedIn('installers')
    await page.evaluate(
      'XMLHttpRequest.prototype.send = function () { this.upload.onload(); this.onerror() }',
    )
    await choose(page, 'cardwire.deb', Buffer.alloc(1000))
    await page.getByRole('button', { name: 'Upload installer' }).press('Enter')
    await page.getByText(notConfirmed, { exact: true }).waitFor()
  })

  test('of several files, the list shows those before one whose answer is no page', async () => {
    proves('upload-answered')
    const { page } = await administration.openLoggedIn('installers')
    let sent = 0
    await page.route(`${administration.service.url}/admin/installers`, (route) => {
      if (route.request().method() === 'GET') return route.continue()
      sent += 1
      return sent === 1 ? route.continue() : route.fulfill({ status: 502, body: '' })
    })
    const files = ['saved-first.deb', 'not-confirmed.deb'].map((name) => ({
      name,
      mimeType: 'application/octet-stream',
      buffer: Buffer.alloc(1000),
    }))
    await page.locator('#file').setInputFiles(files)
    await page.getByRole('button', { name: 'Upload installer' }).press('Enter')
    const said = `${notConfirmed} (HTTP 502) The upload stopped. These files are saved:`
    await page.getByText(said, { exact: true }).waitFor()
    const list = page.getByRole('table', { name: 'Uploaded files' })
    await list.getByRole('link', { name: 'saved-first.deb' }).waitFor()
    expect(await list.getByRole('link', { name: 'not-confirmed.deb' }).count()).toBe(0)
  })
})
