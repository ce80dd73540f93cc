/** Uploads of installers and keystores in the admin console, in Chromium. */
import { createHash, randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { headlessProgram } from '../../../test/bed/chromium.ts'
import { readKeystoreFile } from '../../../test/bed/keystore-file.ts'
import { proves } from '../../../test/bed/proves.ts'
import { createVersion, nextInstaller, uploadInstaller } from '../harness/arrange.ts'
import {
  type Administration,
  expectAccessible,
  expectNoSidewaysScroll,
  startAdministration,
} from './administration.ts'

const hash = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

describe.runIf(existsSync(headlessProgram))('uploads in the admin console', () => {
  let administration: Administration
  beforeAll(async () => {
    administration = await startAdministration()
  })
  afterAll(() => administration?.stop())

  const choose = (page: Page, name: string, buffer: Buffer) =>
    page.locator('#file').setInputFiles({ name, mimeType: 'application/octet-stream', buffer })

  const find = async (name: string) => {
    const { service } = administration
    const token = await service.login()
    return service.request('GET', `/v3/installers/${name}`, { token })
  }

  test.each([true, false])(
    'an installer is uploaded, its size and digest are shown, and it is removed again, with scripts: %s',
    async (javaScriptEnabled) => {
      proves('installer-form')
      const { page, faults } = await administration.openLoggedIn('installers', {
        javaScriptEnabled,
      })
      const [name, bytes] = [nextInstaller(), randomBytes(3_000_000)]
      await choose(page, name, bytes)
      await page.getByLabel('SHA-256 (optional)').fill(hash(bytes).toUpperCase())
      await page.getByRole('button', { name: 'Upload installer' }).press('Enter')
      await page.getByRole('heading', { level: 1, name }).waitFor()
      expect(await page.locator('#sha256').textContent()).toBe(hash(bytes))
      expect(await page.locator('dl').textContent()).toContain('3.0 MB (3,000,000 bytes)')
      expect((await find(name)).json.data).toMatchObject({ size: 3_000_000, sha256: hash(bytes) })
      await page.getByRole('link', { name: 'Remove file' }).press('Enter')
      await page.getByLabel(/to confirm/).fill(name)
      await page.keyboard.press('Enter')
      await page.waitForURL(/\/admin\/installers$/)
      expect((await find(name)).status).toBe(404)
      expect(faults).toEqual([])
    },
  )

  test.each([true, false])(
    'a file with another digest is not stored, which is said beside the digest, with scripts: %s',
    async (javaScriptEnabled) => {
      proves('typed-hash-checked')
      const { page } = await administration.openLoggedIn('installers', { javaScriptEnabled })
      const [name, bytes] = [nextInstaller(), randomBytes(100_000)]
      await choose(page, name, bytes)
      await page.getByLabel('SHA-256 (optional)').fill(hash(randomBytes(1)))
      await page.getByRole('button', { name: 'Upload installer' }).press('Enter')
      const fault = page.locator('#sha256-error')
      await fault.waitFor()
      expect(await fault.textContent()).toContain('The file doesn’t match its hash.')
      const detail = `the SHA-256 of what came is ${hash(bytes)}`
      expect(await page.getByRole('alert').textContent()).toContain(detail)
      expect((await find(name)).status).toBe(404)
      await page.getByLabel('SHA-256 (optional)').fill(hash(bytes))
      // With scripts the chosen file is kept; browsers forget it otherwise.
      if (!javaScriptEnabled) await choose(page, name, bytes)
      await page.getByRole('button', { name: 'Upload installer' }).press('Enter')
      await page.getByRole('heading', { level: 1, name }).waitFor()
    },
  )

  test.each([true, false])(
    'a file that is in use is not replaced, however large the new one is, with scripts: %s',
    async (javaScriptEnabled) => {
      const { service } = administration
      const token = await service.login()
      const { name, uri } = await uploadInstaller(service, token)
      await createVersion(service, token, { uris: [{ os: 'UNIX', uri }] })
      const { page } = await administration.openLoggedIn('installers', { javaScriptEnabled })
      await choose(page, name, Buffer.alloc(8_000_000))
      await page.getByRole('button', { name: 'Upload installer' }).press('Enter')
      await page.locator('#name-error').getByText('A version or keystore uses this file.').waitFor()
      expect(await page.getByRole('alert').textContent()).toContain(`Cannot replace "${name}"`)
    },
  )

  test('a name that is none is said beside the name, with its markup as text', async () => {
    proves('form-errors')
    const { page } = await administration.openLoggedIn('installers')
    await choose(page, '<b>a.deb', Buffer.from('bytes'))
    await page.getByRole('button', { name: 'Upload installer' }).press('Enter')
    await page.locator('#name-error').getByText('expected a name of').waitFor()
    expect(await page.locator('b').count()).toBe(0)
    expect(await page.evaluate('document.activeElement.id')).toBe('name')
    await expectAccessible(page)
    await page.getByLabel('Name (optional)').fill('<script>alert(1)</script>')
    await page.getByRole('button', { name: 'Upload installer' }).press('Enter')
    await page.locator('#name-error').waitFor()
    expect(await page.getByLabel('Name (optional)').inputValue()).toBe('<script>alert(1)</script>')
  })

  test('a file that is too large for the service is refused before it is sent', async () => {
    const { page, faults } = await administration.openLoggedIn('installers')
    await page.evaluate("document.querySelector('#file').dataset.maxBytes = '1000000'")
    await choose(page, 'large.deb', Buffer.alloc(2_000_000))
    await page.getByRole('button', { name: 'Upload installer' }).press('Enter')
    await page.getByText('The file is too large (2.0 MB).').waitFor()
    expect(faults).toEqual([])
  })

  test('several files are uploaded at once, and the hash of each is shown', async () => {
    proves('installer-form')
    const { page, faults } = await administration.openLoggedIn('installers')
    await page.getByText('You can choose several files.').waitFor()
    const files = [1, 2, 3].map(() => ({ name: nextInstaller(), buffer: randomBytes(50_000) }))
    const mimeType = 'application/octet-stream'
    await page.locator('#file').setInputFiles(files.map((file) => ({ ...file, mimeType })))
    await page.getByLabel('Name (optional)').fill('one.deb')
    await page.getByRole('button', { name: 'Upload installer' }).press('Enter')
    await page.getByText('To set a name, choose only one file.').waitFor()
    expect(await page.evaluate('document.activeElement.id')).toBe('name')
    await page.getByLabel('Name (optional)').fill('')
    await page.getByRole('button', { name: 'Upload installer' }).press('Enter')
    await page.getByText('All files are saved').waitFor()
    expect(await page.locator('[data-results] li').allTextContents()).toEqual(
      files.map(({ name, buffer }) => `${name}: ${hash(buffer)}`),
    )
    const list = page.getByRole('table', { name: 'Uploaded files' })
    for (const { name } of files) await list.getByRole('link', { name, exact: true }).waitFor()
    for (const { name, buffer } of files)
      expect((await find(name)).json.data).toMatchObject({ sha256: hash(buffer) })
    expect((await find('one.deb')).status).toBe(404)
    await expectAccessible(page)
    expect(faults).toEqual([])
  })

  test('of several files, those before one that is refused are kept', async () => {
    const { service } = administration
    const token = await service.login()
    const used = await uploadInstaller(service, token)
    await createVersion(service, token, { uris: [{ os: 'UNIX', uri: used.uri }] })
    const { page } = await administration.openLoggedIn('installers')
    const names = [nextInstaller(), used.name, nextInstaller()]
    const mimeType = 'application/octet-stream'
    const files = names.map((name) => ({ name, mimeType, buffer: randomBytes(1000) }))
    await page.locator('#file').setInputFiles(files)
    await page.getByRole('button', { name: 'Upload installer' }).press('Enter')
    await page.getByRole('alert').getByText(`Cannot replace "${used.name}"`).waitFor()
    const statuses = []
    for (const name of names) statuses.push((await find(name)).status)
    expect(statuses).toEqual([200, 200, 404])
  })

  test('several files of which one is cancelled say which are saved', async () => {
    const { page } = await administration.openLoggedIn('installers')
    const session = await page.context().newCDPSession(page)
    await session.send('Network.enable')
    const speed = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 500_000 }
    await session.send('Network.emulateNetworkConditions', speed)
    const names = [nextInstaller(), nextInstaller()]
    const mimeType = 'application/octet-stream'
    const files = names.map((name, at) => ({ name, mimeType, buffer: Buffer.alloc(1 + at * 2e7) }))
    await page.locator('#file').setInputFiles(files)
    await page.getByRole('button', { name: 'Upload installer' }).press('Enter')
    await page.getByText(/of 20\.0 MB/).waitFor()
    await page.getByRole('button', { name: 'Cancel' }).press('Enter')
    await page.getByText('These files are saved').waitFor()
    expect(await page.locator('[data-results]').textContent()).toContain(`${names[0]}: `)
    expect(await page.locator('[data-results] li').count()).toBe(1)
  })

  test('an upload that is cancelled stores nothing, and the form can be sent again', async () => {
    proves('installer-form')
    const { page } = await administration.openLoggedIn('installers')
    const session = await page.context().newCDPSession(page)
    await session.send('Network.enable')
    const speed = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 500_000 }
    await session.send('Network.emulateNetworkConditions', speed)
    const name = nextInstaller()
    await choose(page, name, Buffer.alloc(20_000_000))
    await page.getByRole('button', { name: 'Upload installer' }).press('Enter')
    await page.getByText(/of 20\.0 MB/).waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Cancel' }).press('Enter')
    await page.getByText('Upload canceled. Nothing was saved.').waitFor()
    expect((await find(name)).status).toBe(404)
    await session.send('Network.emulateNetworkConditions', { ...speed, uploadThroughput: -1 })
    await page.getByRole('button', { name: 'Upload installer' }).press('Enter')
    await page.getByRole('heading', { level: 1, name }).waitFor()
  })

  test.each([true, false])(
    'a keystore is stored with its password, which no page shows, with scripts: %s',
    async (javaScriptEnabled) => {
      proves('keystore-form')
      const { service } = administration
      const token = await service.login()
      const { id } = await createVersion(service, token)
      const { page, faults } = await administration.openLoggedIn(`keystore?version=${id}`, {
        javaScriptEnabled,
      })
      const [name, bytes] = [`keystore-${id}.p12`, Buffer.from(readKeystoreFile())]
      await page.getByLabel('Keystore password').fill(' s3cret ')
      await choose(page, name, bytes)
      await page.getByRole('button', { name: 'Save keystore' }).press('Enter')
      await page.getByRole('heading', { level: 1, name: `Keystore for ${id}` }).waitFor()
      expect(await page.content()).not.toContain('s3cret')
      const facts = await page.locator('dd').allTextContents()
      for (const fact of [
        'O=Cardwire tests, CN=connector.example.com',
        'connector.example.com, *.desk.example.com, 192.0.2.7',
        'EC, 256 bits',
      ])
        expect(facts).toContain(fact)
      const { json } = await service.request(
        'GET',
        `/v3/configurations?versionId=${id}&type=SSL_KEYSTORE`,
        { token },
      )
      expect(json.data.items).toMatchObject([
        { config: { uri: `file:///${name}`, digest: hash(bytes) } },
      ])
      expect(faults).toEqual([])
    },
  )

  test.each([
    ['openssl-3.p12', 'a wrong one', '#password-error', 'The password doesn’t open this keystore.'],
    ['expired.p12', 'secret', '[role=alert]', 'The certificate in this keystore has expired.'],
    ['no-key.p12', 'secret', '[role=alert]', 'Connectors can’t use this keystore.'],
    ['keytool.jks', 'secret', '[role=alert]', 'This file can’t be opened as a keystore.'],
  ])(
    'the keystore %s is refused with the reason, and leaves no file',
    async (file, password, place, text) => {
      proves('keystore-form', 'keystore-opened')
      const { service } = administration
      const { id } = await createVersion(service, await service.login())
      const { page } = await administration.openLoggedIn(`keystore?version=${id}`)
      await page.getByLabel('Keystore password').fill(password)
      await choose(page, `${id}-${file}`, Buffer.from(readKeystoreFile(file)))
      await page.getByRole('button', { name: 'Save keystore' }).press('Enter')
      await page.locator(place).getByText(text).waitFor()
      await expectAccessible(page)
      expect(await page.content()).not.toContain(password)
      const token = await service.login()
      const { json } = await service.request('GET', `/v3/keystores?name=${id}-${file}`, { token })
      expect(json.data.items).toEqual([])
    },
  )

  test('a keystore whose configuration is refused leaves no file', async () => {
    proves('keystore-form')
    const { service } = administration
    const { id } = await createVersion(service, await service.login())
    const { page } = await administration.openLoggedIn(`keystore?version=${id}`)
    await page.evaluate("document.querySelector('#version').options[0].value = 'none'")
    await page.locator('#version').selectOption('none')
    await page.getByLabel('Keystore password').fill('s3cret')
    await choose(page, 'refused.p12', Buffer.from(readKeystoreFile()))
    await page.getByRole('button', { name: 'Save keystore' }).press('Enter')
    await page.locator('#version-error').waitFor()
    const token = await service.login()
    const { json } = await service.request('GET', '/v3/keystores?name=refused.p12', { token })
    expect(json.data.items).toEqual([])
    expect(await page.content()).not.toContain('s3cret')
  })

  test.each(['light', 'dark'] as const)(
    'the pages have no fault that axe finds, in %s, and fit a narrow window',
    async (colorScheme) => {
      const { service } = administration
      const { name } = await uploadInstaller(service, await service.login())
      const viewport = { width: 320, height: 640 }
      const { page, faults, goTo } = await administration.openLoggedIn('', {
        colorScheme,
        viewport,
      })
      for (const to of [
        'installers',
        'installers?name=nothing',
        `installers/${name}`,
        `installers/${name}/remove`,
        'keystore',
      ]) {
        await goTo(to)
        await expectAccessible(page, colorScheme)
        await expectNoSidewaysScroll(page)
      }
      expect(faults).toEqual([])
    },
  )
})
