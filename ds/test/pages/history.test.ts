/** Reviews before a change, the way back after it, and histories, in Chromium. */
import { existsSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { headlessProgram } from '../../../test/bed/chromium.ts'
import { proves } from '../../../test/bed/proves.ts'
import type { Json } from '../../../test/bed/service-request.ts'
import { addAccount } from '../harness/accounts.ts'
import { createVersion, getData, uploadInstaller } from '../harness/arrange.ts'
import { createDevice } from '../harness/device.ts'
import { openPageSession } from '../harness/page-session.ts'
import {
  type Administration,
  expectAccessible,
  expectNoSidewaysScroll,
  startAdministration,
} from './administration.ts'

describe.runIf(existsSync(headlessProgram))('changes that reach devices', () => {
  let administration: Administration
  beforeAll(async () => {
    // Every review asks for the name, and no limit protects the fleet but that of a page.
    administration = await startAdministration({ DS_REVIEW_SHARE: '0', DS_MAX_REACH: 'any' })
  })
  afterAll(() => administration?.stop())

  const send = async (method: string, path: string, body?: Json) => {
    const { service } = administration
    return service.request(method, path, { token: await service.login(), body })
  }
  const get = async (path: string) => getData(await send('GET', path))
  const readAllowlist = async (id: string) => (await get(`/v3/configurations/${id}`)).config.cors

  /** A version with two devices, and its allowlist. */
  async function arrange() {
    const { service } = administration
    const version = await createVersion(service, await service.login())
    await createDevice(service, version, { platform: 'UNIX' })
    await createDevice(service, version, { platform: 'WIN64' })
    const config = { cors: ['https://a.example', 'https://b.example'] }
    const body = { type: 'CONTEXT_CONFIG', versionId: version.id, config }
    return {
      versionId: version.id,
      id: getData(await send('PUT', '/v3/configurations', body)).id,
    }
  }

  const readCells = (page: Page, caption: string) =>
    page.getByRole('table', { name: caption }).getByRole('cell').allTextContents()

  test.each([true, false])(
    'an allowlist is saved after its review, and taken back, by keyboard, with scripts: %s',
    async (javaScriptEnabled) => {
      proves('change-reviewed', 'fleet-changed-unseen')
      const { versionId, id } = await arrange()
      const { page, faults } = await administration.openLoggedIn(`configurations/${id}`, {
        javaScriptEnabled,
      })
      await page.locator('#cors').fill('https://a.example\nhttps://c.example')
      await page.getByRole('button', { name: 'Save' }).press('Enter')
      await page.getByRole('heading', { level: 1, name: 'Review changes' }).waitFor()
      await page.getByText('2 devices receive this change at their next sync.').waitFor()
      await page.getByText('1 site will lose access to card readers.').waitFor()
      expect(await readCells(page, 'What changes')).toEqual([
        'https://b.example',
        'https://c.example',
      ])
      expect(await readAllowlist(id)).toEqual(['https://a.example', 'https://b.example'])
      await page.getByLabel(/to confirm/).fill(versionId)
      await page.keyboard.press('Enter')
      await page.getByRole('status').getByText('Saved.').waitFor()
      expect(await readAllowlist(id)).toEqual(['https://a.example', 'https://c.example'])

      await page.getByRole('link', { name: 'Undo' }).press('Enter')
      expect(await readCells(page, 'What changes')).toEqual([
        'https://c.example',
        'https://b.example',
      ])
      await page.getByLabel(/to confirm/).fill(versionId)
      await page.keyboard.press('Enter')
      await page.getByRole('status').getByText('Saved.').waitFor()
      expect(await readAllowlist(id)).toEqual(['https://a.example', 'https://b.example'])
      expect(faults).toEqual([])
    },
  )

  test.each([true, false])(
    'what was typed is edited further from the review, with scripts: %s',
    async (javaScriptEnabled) => {
      const { versionId, id } = await arrange()
      const { page } = await administration.openLoggedIn(`configurations/${id}`, {
        javaScriptEnabled,
      })
      const keepEditing = page.getByRole('button', { name: 'Keep editing' })
      await page.locator('#cors').fill('https://typo.example')
      await page.getByRole('button', { name: 'Save' }).press('Enter')
      await keepEditing.press('Enter')
      expect(await page.locator('#cors').inputValue()).toBe('https://typo.example')
      await page.locator('#cors').fill('https://right.example')
      await page.getByRole('button', { name: 'Save' }).press('Enter')
      expect(await readCells(page, 'What changes')).toContain('https://right.example')

      const body = {
        type: 'CONTEXT_CONFIG',
        versionId,
        id,
        config: { cors: ['https://x.example'] },
      }
      await send('PUT', '/v3/configurations', body)
      await keepEditing.press('Enter')
      await page.getByText('https://x.example').waitFor()
      await keepEditing.press('Enter')
      expect(await page.locator('#cors').inputValue()).toBe('https://right.example')
      expect(await readAllowlist(id)).toEqual(['https://x.example'])
    },
  )

  test('nothing is saved with another name than the one that the review asks for', async () => {
    proves('change-reviewed')
    const { versionId, id } = await arrange()
    const { page } = await administration.openLoggedIn(`configurations/${id}`)
    await page.locator('#cors').fill('https://c.example')
    await page.getByRole('button', { name: 'Save' }).press('Enter')
    await page.getByLabel(`Type “${versionId}” to confirm`).fill('another')
    await page.keyboard.press('Enter')
    await page.getByText(`The name doesn’t match “${versionId}”`).waitFor()
    await expectAccessible(page)
    expect(await readAllowlist(id)).toEqual(['https://a.example', 'https://b.example'])
  })

  test('a review is shown again when more devices are reached by then', async () => {
    proves('change-reviewed', 'affected-more-refused')
    const { versionId, id } = await arrange()
    const { page } = await administration.openLoggedIn(`configurations/${id}`)
    await page.locator('#cors').fill('https://c.example')
    await page.getByRole('button', { name: 'Save' }).press('Enter')
    await page.getByText('2 devices receive').waitFor()
    const { service } = administration
    const key = getData(await send('PATCH', `/v3/versions/${versionId}`, { recommended: false }))
    expect(key.id).toBe(versionId)
    const { installationApiKey } = getData(
      await send('PATCH', `/v3/versions/${versionId}`, {
        installationApiKey: crypto.randomUUID(),
      }),
    )
    await createDevice(service, { id: versionId, installationApiKey }, { platform: 'UNIX' })
    await page.getByLabel(/to confirm/).fill(versionId)
    await page.keyboard.press('Enter')
    await page.getByText('3 devices receive').waitFor()
    await page.getByText('This change now affects more devices than you confirmed.').waitFor()
    expect(await readAllowlist(id)).toEqual(['https://a.example', 'https://b.example'])
    await page.getByLabel(/to confirm/).fill(versionId)
    await page.keyboard.press('Enter')
    await page.getByRole('status').getByText('Saved.').waitFor()
    expect(await readAllowlist(id)).toEqual(['https://c.example'])
  })

  test('what is wrong with a value is said in its form, before the review', async () => {
    proves('change-reviewed')
    const { id } = await arrange()
    const { page } = await administration.openLoggedIn(`configurations/${id}`)
    await page.locator('#cors').fill('no origin')
    await page.getByRole('button', { name: 'Save' }).press('Enter')
    await page.locator('#cors-error').getByText('Line 1: ').waitFor()
  })

  test('a removed configuration is restored from the note that says it is removed', async () => {
    proves('change-reviewed')
    const { versionId, id } = await arrange()
    const { page } = await administration.openLoggedIn(`configurations/${id}/remove`)
    await page.getByLabel(/to confirm/).fill(versionId)
    await page.keyboard.press('Enter')
    await page.getByRole('status').getByText('Removed.').waitFor()
    await page.getByRole('link', { name: 'Undo' }).press('Enter')
    await page.getByText('2 devices receive').waitFor()
    await page.getByLabel(/to confirm/).fill(versionId)
    await page.keyboard.press('Enter')
    await page.getByRole('status').getByText('Saved.').waitFor()
    expect(await readAllowlist(id)).toEqual(['https://a.example', 'https://b.example'])
  })

  test('no address makes the page say that something was saved or removed', async () => {
    proves('change-reviewed')
    const { versionId, id } = await arrange()
    const session = await openPageSession(administration.service)
    const { text } = await session.get(`versions/${versionId}?added=${id}`)
    expect(text).toContain('Added.')
    for (const query of [`removed=${id}`, 'removed=../x', 'added=../x', 'saved=7']) {
      const page = await session.get(`versions/${versionId}?${query}`)
      expect([page.status, /Saved\.|Added\.|Removed\./.test(page.text)]).toEqual([200, false])
    }
  })

  test('the audit leads to the values before and after each change', async () => {
    proves('audit-values')
    const { versionId, id } = await arrange()
    const config = { cors: ['https://c.example'] }
    await send('PATCH', `/v3/configurations/${id}`, { config })
    const { uris } = await get(`/v3/versions/${versionId}`)
    const moved = uris.map((one: Json) => ({ ...one, uri: 'https://downloads.example/other' }))
    getData(await send('PATCH', `/v3/versions/${versionId}`, { uris: moved }))
    const { page, goTo } = await administration.openLoggedIn(`audit?kind=configuration&id=${id}`)
    const compare = page.getByRole('link', { name: 'Compare values' })
    expect(await compare.count()).toBe(2)
    await compare.first().press('Enter')
    await page.getByRole('heading', { level: 1, name: /^Revision 2: / }).waitFor()
    expect(await readCells(page, 'Changes since revision 1')).toEqual([
      'https://a.example\nhttps://b.example',
      'https://c.example',
    ])
    await goTo(`audit?kind=version&id=${versionId}`)
    await compare.first().press('Enter')
    await page.getByRole('heading', { level: 1, name: /^Revision 2: / }).waitFor()
    await goTo(`versions/${versionId}/history?at=2001-01-01T00:00:00.000Z`)
    await page.getByRole('table', { name: 'Revisions, newest first' }).waitFor()
  })

  test('the audit leads to the history of a removed configuration', async () => {
    proves('change-reviewed')
    const { id } = await arrange()
    await send('DELETE', `/v3/configurations/${id}`)
    const { page } = await administration.openLoggedIn(`audit?kind=configuration&id=${id}`)
    await page.getByRole('link', { name: 'History and restore' }).press('Enter')
    await page.getByRole('link', { name: 'Restore Revision 1' }).waitFor()
  })

  test('a keystore is reviewed without its password, which is typed again', async () => {
    proves('change-reviewed', 'keystore-password-shown')
    const { versionId } = await arrange()
    const address = `configurations/new?versionId=${versionId}&type=SSL_KEYSTORE`
    const { page } = await administration.openLoggedIn(address)
    const password = 'a-password-to-be-typed-twice'
    await page.locator('#uri').fill('https://downloads.example/1.p12')
    await page.locator('#password').fill(password)
    await page.getByRole('button', { name: 'Add configuration' }).press('Enter')
    await page.getByText('2 devices receive').waitFor()
    expect(await page.content()).not.toContain(password)
    await expectAccessible(page)
    await page.getByLabel('Re-enter keystore password').fill(password)
    await page.getByLabel(/to confirm/).fill(versionId)
    await page.keyboard.press('Enter')
    await page.getByRole('status').getByText('Added.').waitFor()
    const query = `versionId=${versionId}&type=SSL_KEYSTORE`
    expect((await get(`/v3/configurations?${query}`)).total).toBe(1)
  })

  test('configurations are copied to a version with devices after a review', async () => {
    proves('change-reviewed')
    const { versionId: from } = await arrange()
    const { service } = administration
    const to = await createVersion(service, await service.login())
    await createDevice(service, to, { platform: 'UNIX' })
    const { page } = await administration.openLoggedIn(
      `configurations/copy?from=${from}&to=${to.id}`,
    )
    await page.getByRole('button', { name: 'Copy configurations' }).press('Enter')
    await page.getByText('1 device receives').waitFor()
    expect((await get(`/v3/configurations?versionId=${to.id}`)).total).toBe(0)
    await page.getByLabel(/to confirm/).fill(to.id)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: `Version ${to.id}` }).waitFor()
    expect((await get(`/v3/configurations?versionId=${to.id}`)).total).toBe(1)
  })

  test('configurations are not copied over others, and the page leads to those before a review', async () => {
    proves('refused-before-review')
    const { versionId: from } = await arrange()
    const { versionId: to, id } = await arrange()
    const { page } = await administration.openLoggedIn(`configurations/copy?from=${from}&to=${to}`)
    await page.getByRole('button', { name: 'Copy configurations' }).press('Enter')
    const note = page.getByRole('alert')
    await note.getByText('Edit it, or remove it first.').waitFor()
    expect(await note.textContent()).not.toContain(id)
    expect(await page.getByLabel(/to confirm/).count()).toBe(0)
    await expectAccessible(page)
    await note
      .getByRole('link', { name: `Allowlist and card permissions for ${to}` })
      .press('Enter')
    await page.waitForURL(`${administration.service.url}/admin/configurations/${id}`)
  })

  test('the newest revision of a configuration or a version offers no restore, an earlier one does', async () => {
    proves('resource-history')
    const { versionId, id } = await arrange()
    const body = { type: 'CONTEXT_CONFIG', versionId, id, config: { cors: ['https://c.example'] } }
    await send('PUT', '/v3/configurations?maxReach=2', body)
    const { page, goTo } = await administration.openLoggedIn(`configurations/${id}/history/1`)
    await page.getByRole('link', { name: 'Restore', exact: true }).waitFor()
    for (const newest of [`configurations/${id}/history/2`, `versions/${versionId}/history/1`]) {
      await goTo(newest)
      await page.getByText(/^Saved by admin/).waitFor()
      expect(await page.getByRole('link', { name: 'Restore', exact: true }).count()).toBe(0)
    }
    for (const unchanged of [
      `configurations/${id}/history/2/restore`,
      `versions/${versionId}/history/1/restore`,
    ]) {
      await goTo(unchanged)
      await page.getByText('These settings are current. There is nothing to restore.').waitFor()
    }
  })

  test('a removed configuration is not restored next to a new one, which the page names before a review', async () => {
    proves('refused-before-review')
    const { versionId, id } = await arrange()
    await send('DELETE', `/v3/configurations/${id}`)
    const body = { type: 'CONTEXT_CONFIG', versionId, config: { cors: ['https://c.example'] } }
    const { id: other } = getData(await send('PUT', '/v3/configurations', body))
    const restore = `configurations/${id}/history/1/restore`
    const { page } = await administration.openLoggedIn(restore)
    const note = page.getByRole('alert')
    await note.getByText('Edit it, or remove it first.').waitFor()
    expect(await readCells(page, 'Settings in this revision')).toEqual([
      '',
      'https://a.example\nhttps://b.example',
    ])
    expect(await page.getByRole('button', { name: 'Restore' }).count()).toBe(0)
    await expectAccessible(page)
    const session = await openPageSession(administration.service)
    const sent = await session.post(restore, { maxReach: '2', confirm: versionId })
    expect([sent.status, sent.text.includes('Edit it, or remove it first.')]).toEqual([409, true])
    await note.getByRole('link').press('Enter')
    await page.waitForURL(`${administration.service.url}/admin/configurations/${other}`)
  })

  test('a version is not registered with a file that is missing, which its form says before a review', async () => {
    proves('refused-before-review')
    const { versionId } = await arrange()
    const { page } = await administration.openLoggedIn('versions/new')
    await page.locator('#id').fill(`${versionId}2`)
    await page.locator('#recommended').press('Space')
    await page.locator('#uri-UNIX').fill('file:///packages/nothing.deb')
    await page.getByRole('button', { name: 'Register version' }).press('Enter')
    await page.locator('#uri-UNIX-error').getByText('No such file').waitFor()
    expect(await page.getByLabel(/to confirm/).count()).toBe(0)
    await page.locator('#uri-UNIX').fill('https://downloads.example/connector.deb')
    await page.getByRole('button', { name: 'Register version' }).press('Enter')
    await page.getByLabel(/to confirm/).waitFor()
    expect((await send('GET', `/v3/versions/${versionId}2`)).status).toBe(404)
  })

  test('a version is not restored without its files, which the page names before a review', async () => {
    proves('refused-before-review')
    const { service } = administration
    const token = await service.login()
    const { uri, name } = await uploadInstaller(service, token)
    const { id } = await createVersion(service, token, { uris: [{ os: 'UNIX', uri }] })
    getData(await send('PATCH', `/v3/versions/${id}`, { uris: [] }))
    const restore = `versions/${id}/history/1/restore`
    const { page, goTo } = await administration.openLoggedIn(restore)
    await page.getByRole('button', { name: 'Restore' }).waitFor()
    getData(await send('DELETE', `/v3/installers/${name}`))
    await goTo(restore)
    await page.getByRole('alert').getByText(uri).waitFor()
    expect(await page.getByRole('button', { name: 'Restore' }).count()).toBe(0)
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Upload them again' }).press('Enter')
    await page.waitForURL(`${service.url}/admin/installers`)
  })

  test('a version with configurations is not removed, and its page leads to them', async () => {
    proves('refused-before-review')
    const { versionId, id } = await arrange()
    const { page } = await administration.openLoggedIn(`versions/${versionId}/remove`)
    await page.getByText('2 devices with this version won’t be able to sync').waitFor()
    const note = page.getByRole('alert')
    await note.getByText('Remove them first.').waitFor()
    expect(await page.getByRole('button', { name: 'Remove version' }).count()).toBe(0)
    await expectAccessible(page)
    await note.getByRole('link').press('Enter')
    await page.waitForURL(`${administration.service.url}/admin/configurations/${id}`)
  })

  test('release settings are taken back from the note, after a review', async () => {
    proves('change-reviewed')
    const { versionId } = await arrange()
    const path = `/v3/versions/${versionId}`
    const { page } = await administration.openLoggedIn(`versions/${versionId}/flags`)
    await page.locator('#allowed').press('Space')
    await page.getByRole('button', { name: 'Review changes' }).press('Enter')
    await page.getByLabel(/to confirm/).fill(versionId)
    await page.keyboard.press('Enter')
    await page.getByRole('status').getByText('Saved.').waitFor()
    expect((await get(path)).allowed).toBe(false)
    await page.getByRole('link', { name: 'Undo' }).press('Enter')
    expect(await readCells(page, 'What changes')).toEqual(['No', 'Yes'])
    await page.getByLabel(/to confirm/).fill(versionId)
    await page.keyboard.press('Enter')
    await page.getByRole('status').getByText('Saved.').waitFor()
    expect((await get(path)).allowed).toBe(true)
  })

  test('installers are changed after a review, where devices lose their update', async () => {
    proves('change-reviewed', 'fleet-changed-unseen')
    const { service } = administration
    const token = await service.login()
    const old = await createVersion(service, token)
    await createDevice(service, old, { platform: 'UNIX' })
    const next = await createVersion(service, token, { recommended: true })
    const { page } = await administration.openLoggedIn(`versions/${next.id}/installers`)
    await page.locator('#uri-UNIX').fill('')
    await page.locator('#sha256-UNIX').fill('')
    await page.getByRole('button', { name: 'Save installers' }).press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Review changes' }).waitFor()
    expect((await get(`/v3/versions/${next.id}`)).uris).toHaveLength(1)
    await page.getByLabel(/to confirm/).fill(next.id)
    await page.keyboard.press('Enter')
    await page.getByRole('status').getByText('Saved.').waitFor()
    expect((await get(`/v3/versions/${next.id}`)).uris).toEqual([])
  })

  test('another URL of an installer is saved, and taken back, after a review with both URLs', async () => {
    proves('change-reviewed', 'fleet-changed-unseen', 'affected-by-installer')
    const { service } = administration
    const token = await service.login()
    const old = await createVersion(service, token)
    await createDevice(service, old, { platform: 'UNIX' })
    const next = await createVersion(service, token, { recommended: true })
    const [mine, theirs] = [next.uris[0].uri, 'https://b.example/x.deb']
    const readUrl = async () => (await get(`/v3/versions/${next.id}`)).uris[0].uri
    const { page } = await administration.openLoggedIn(`versions/${next.id}/installers`)
    await page.locator('#uri-UNIX').fill(theirs)
    await page.getByRole('button', { name: 'Save installers' }).press('Enter')
    await page
      .getByText(/devices? will be offered a different installer for the same version\./)
      .waitFor()
    const affected = page.getByRole('rowheader', { name: old.id, exact: true }).locator('..')
    expect(await affected.textContent()).toContain(`${next.id}, different installer`)
    expect(await readCells(page, 'What changes')).toEqual([`Linux: ${mine}`, `Linux: ${theirs}`])
    expect(await readUrl()).toBe(mine)
    await expectAccessible(page)
    await page.getByLabel(/to confirm/).fill(next.id)
    await page.keyboard.press('Enter')
    await page.getByRole('status').getByText('Saved.').waitFor()
    expect(await readUrl()).toBe(theirs)

    await page.getByRole('link', { name: 'Undo' }).press('Enter')
    await page.getByText(/different installer for the same version\./).waitFor()
    expect(await readCells(page, 'What changes')).toEqual([`Linux: ${theirs}`, `Linux: ${mine}`])
    await page.getByLabel(/to confirm/).fill(next.id)
    await page.keyboard.press('Enter')
    await page.getByRole('status').getByText('Saved.').waitFor()
    expect(await readUrl()).toBe(mine)
    getData(await send('DELETE', `/v3/versions/${next.id}`))
  })

  test('a new version has the configurations of the latest one, unless none are chosen', async () => {
    proves('configurations-inherited')
    const { versionId } = await arrange()
    const { page } = await administration.openLoggedIn('versions/new')
    const listed = page.locator('#copyFrom')
    expect(await listed.inputValue()).toBe(versionId)
    const next = `${versionId}0`
    await page.locator('#id').fill(next)
    await page.getByRole('button', { name: 'Register version' }).press('Enter')
    await page.getByRole('heading', { level: 1, name: `Installation key for ${next}` }).waitFor()
    const [copy] = (await get(`/v3/configurations?versionId=${next}`)).items
    expect(copy.config.cors).toEqual(['https://a.example', 'https://b.example'])

    const { page: other } = await administration.openLoggedIn('versions/new')
    await other.locator('#id').fill(`${versionId}1`)
    await other.locator('#copyFrom').selectOption('')
    await other.locator('#recommended').press('Space')
    await other.locator('#uri-UNIX').fill('https://downloads.example/connector.deb')
    await other.getByRole('button', { name: 'Register version' }).press('Enter')
    await other.getByText('to a version without an allowlist').waitFor()
    await other.getByLabel(/to confirm/).fill(`${versionId}1`)
    await other.keyboard.press('Enter')
    await other.getByRole('heading', { level: 1, name: /^Installation key/ }).waitFor()
    expect((await get(`/v3/configurations?versionId=${versionId}1`)).total).toBe(0)
  })

  test('a history leads from its revisions to what one changed, and back to it', async () => {
    proves('change-reviewed')
    const { id } = await arrange()
    getData(await send('PATCH', `/v3/configurations/${id}`, { config: { cors: [] } }))
    const { page } = await administration.openLoggedIn(`configurations/${id}`)
    await page.getByRole('link', { name: 'History and restore' }).press('Enter')
    const rows = page.getByRole('table').getByRole('row')
    expect(await rows.count()).toBe(3)
    expect(await rows.nth(1).textContent()).toContain('Current')
    await page.getByRole('link', { name: 'Revision 2', exact: true }).press('Enter')
    await page.getByRole('table', { name: 'Changes since revision 1' }).waitFor()
    expect(await readCells(page, 'Changes since revision 1')).toEqual([
      'https://a.example\nhttps://b.example',
      '',
    ])
    await page.goBack()
    await page.getByRole('link', { name: 'Restore Revision 1' }).press('Enter')
    await page.getByRole('heading', { level: 1, name: /^Restore revision 1: / }).waitFor()
  })

  test('a viewer sees a history, and nothing to restore with', async () => {
    proves('change-reviewed')
    const { id } = await arrange()
    getData(await send('PATCH', `/v3/configurations/${id}`, { config: { cors: [] } }))
    const viewer = await addAccount(administration.service, 'viewer')
    const session = await openPageSession(administration.service, viewer)
    const list = await session.get(`configurations/${id}/history`)
    expect([list.status, list.text.includes('/restore')]).toEqual([200, false])
    const page = await session.get(`configurations/${id}/history/1/restore`)
    expect(page.text).not.toContain('method="post" action="configurations')
  })

  test.each(['light', 'dark'] as const)(
    'the pages have no fault that axe finds, in %s, and fit a narrow window',
    async (colorScheme) => {
      const { versionId, id } = await arrange()
      getData(await send('PATCH', `/v3/configurations/${id}`, { config: { cors: [] } }))
      const viewport = { width: 320, height: 800 }
      const { page, faults, goTo } = await administration.openLoggedIn('', {
        colorScheme,
        viewport,
      })
      for (const to of [
        `configurations/${id}/history`,
        `configurations/${id}/history/1`,
        `configurations/${id}/history/1/restore`,
        `versions/${versionId}/history`,
        `versions/${versionId}/history/1`,
        `versions/${versionId}/history/1/restore`,
      ]) {
        await goTo(to)
        await expectAccessible(page, colorScheme)
        await expectNoSidewaysScroll(page)
      }
      expect(faults).toEqual([])
    },
  )
})
