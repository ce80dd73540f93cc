/** The overview, devices and rejected registrations in the admin console, in Chromium. */
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { headlessProgram } from '../../../test/bed/chromium.ts'
import { proves } from '../../../test/bed/proves.ts'
import type { Json } from '../../../test/bed/service-request.ts'
import { addAccount } from '../harness/accounts.ts'
import { createVersion, getData, nextAddress } from '../harness/arrange.ts'
import { createDevice, createIdentity, register } from '../harness/device.ts'
import { openPageSession } from '../harness/page-session.ts'
import { withDatabase } from '../harness/stored-data.ts'
import {
  type Administration,
  expectAccessible,
  expectNoSidewaysScroll,
  logIn,
  startAdministration,
} from './administration.ts'

const markup = '<img src=x onerror=alert(1)>'

describe.runIf(existsSync(headlessProgram))('devices in the admin console', () => {
  let administration: Administration
  let version: Json
  beforeAll(async () => {
    administration = await startAdministration({ DS_USER_NAMES: 'on' })
    version = await createVersion(service(), await service().login())
  })
  afterAll(() => administration?.stop())

  const service = () => administration.service
  const admin = async (path: string) =>
    getData(await service().request('GET', path, { token: await service().login() }))
  const fault = (kind: string, detail = 'a detail') => ({
    kind,
    detail,
    at: '2026-01-31T12:00:00.000Z',
  })
  const createNamed = async (hostname: string, rest: Json = {}) => {
    const device = await createDevice(service(), version, { device: { hostname } })
    await device.sync({ device: { hostname }, ...rest })
    return device
  }
  const rowsOf = (page: Page) => page.locator('tbody th[scope=row] a').allTextContents()

  test.each([true, false])(
    'the list is searched and filtered by keyboard alone, at an address that can be kept, with scripts: %s',
    async (javaScriptEnabled) => {
      proves('device-search')
      const prefix = `desk${javaScriptEnabled ? 1 : 2}`
      await createNamed(`${prefix}-a`)
      await createNamed(`${prefix}-b`, { faults: [fault('keystore-refused')] })
      const { page, faults } = await administration.openLoggedIn('devices', { javaScriptEnabled })
      await page.getByLabel('Search').focus()
      await page.keyboard.type(`${prefix.slice(2).toUpperCase()}-`)
      await page.keyboard.press('Enter')
      await page.waitForURL(/q=SK/)
      expect(await rowsOf(page)).toEqual([`${prefix}-a`, `${prefix}-b`])
      await page.getByLabel('Error').focus()
      await page.keyboard.type('Cannot use')
      await page.getByRole('button', { name: 'Search' }).press('Enter')
      await page.waitForURL(/fault=keystore-refused/)
      expect(await rowsOf(page)).toEqual([`${prefix}-b`])
      await page.reload()
      expect(await page.getByLabel('Search').inputValue()).toBe(`${prefix.slice(2).toUpperCase()}-`)
      expect(await page.getByLabel('Error').inputValue()).toBe('keystore-refused')
      expect(await rowsOf(page)).toEqual([`${prefix}-b`])
      await page.getByLabel('Tag').focus()
      await page.keyboard.type(`none-has-this-${prefix}`)
      await page.keyboard.press('Enter')
      await page.waitForURL(/fault=keystore-refused.*tag=none-has-this/)
      expect(await rowsOf(page)).toEqual([])
      expect(await page.getByLabel('Tag').inputValue()).toBe(`none-has-this-${prefix}`)
      expect(faults).toEqual([])
    },
  )

  test.each([true, false])(
    'the list is sorted by the links of its columns, and searched in the same order, with scripts: %s',
    async (javaScriptEnabled) => {
      proves('device-sort')
      const prefix = `sorted-${javaScriptEnabled}`
      for (const name of ['b', 'c', 'a']) await createNamed(`${prefix}-${name}`)
      const names = ['a', 'b', 'c'].map((name) => `${prefix}-${name}`)
      const { page, faults } = await administration.openLoggedIn(`devices?q=${prefix}`, {
        javaScriptEnabled,
      })
      const column = (name: string) => page.getByRole('columnheader', { name })
      expect(await rowsOf(page)).toEqual(names)
      expect(await column('Device').getAttribute('aria-sort')).toBe('ascending')
      await column('Device').getByRole('link').press('Enter')
      await page.waitForURL(/sort=-name/)
      expect(await rowsOf(page)).toEqual(names.toReversed())
      expect(await column('Device').getAttribute('aria-sort')).toBe('descending')
      await page.getByLabel('Search').fill(`${prefix}-`)
      await page.keyboard.press('Enter')
      await page.waitForURL((url) => url.searchParams.get('q') === `${prefix}-`)
      expect(await rowsOf(page)).toEqual(names.toReversed())
      await column('Last seen').getByRole('link').press('Enter')
      await page.waitForURL(/sort=-lastSeen/)
      expect(await column('Device').getAttribute('aria-sort')).toBeNull()
      expect(await column('Last seen').getAttribute('aria-sort')).toBe('descending')
      if (javaScriptEnabled) await expectAccessible(page)
      expect(faults).toEqual([])
    },
  )

  test('the list has pages, counts to 10,000, and gives what is found as CSV', async () => {
    proves('device-search')
    await createNamed('many-0')
    await withDatabase(service(), ({ run }) =>
      run(`with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < 10030)
        insert into devices (id, fingerprint, key, version, platform, device, "user", blocked, approved, registrations,
          registered_at, created_at, asserted_at, last_seen_at, last_seen_day, revision, faults)
        select 'many-' || n, 'many-' || n, key, version, platform, '{"hostname":"many-' || n || '"}', "user", blocked, approved,
          registrations, registered_at, created_at, asserted_at, last_seen_at, last_seen_day, revision, faults
        from devices, numbers where hostname = 'many-0'`),
    )
    const { page, goTo } = await administration.openLoggedIn('devices?q=many-')
    const links = page.getByRole('navigation', { name: 'Pagination' })
    expect(await links.textContent()).toContain('Page 1 of 400, more than 10,000 in total')
    const first = await rowsOf(page)
    await links.getByRole('link', { name: 'Next' }).press('Enter')
    await page.waitForURL(/page=2/)
    expect(await links.textContent()).toContain('Page 2 of 400')
    const second = await rowsOf(page)
    expect([first.length, second.length]).toEqual([25, 25])
    expect(second.filter((name) => first.includes(name))).toEqual([])
    await goTo('devices?q=many-1003')
    const download = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Download these devices as CSV' }).press('Enter')
    const file = await download
    expect(file.suggestedFilename()).toBe('devices.csv')
    const lines = (await readFile(await file.path(), 'utf8')).split('\r\n')
    expect(lines.slice(1, -1).map((line) => line.split(',')[1])).toEqual([
      'many-1003',
      'many-10030',
    ])
    await withDatabase(service(), ({ run }) => run("delete from devices where id like 'many-%'"))
  })

  test('an unknown filter is said, and a search without result leads to the rejected registrations', async () => {
    proves('device-search')
    const { page, goTo } = await administration.openLoggedIn('devices?standing=asleep')
    expect(await page.getByRole('alert').textContent()).toBe(
      'The URL contains an unknown filter. Choose another filter.',
    )
    await goTo('devices?q=nobody-has-this-name')
    await page.locator('main').getByRole('link', { name: 'Rejected registrations' }).click()
    await page.getByRole('heading', { level: 1, name: 'Rejected registrations' }).waitFor()
  })

  test.each([true, false])(
    'a device is blocked, unblocked and approved by keyboard, after a page that says what it does, with scripts: %s',
    async (javaScriptEnabled) => {
      proves('device-page')
      const device = await createNamed(`till-${javaScriptEnabled}`)
      await withDatabase(service(), ({ run }) =>
        run('update devices set approved = not approved where id = ?', device.id),
      )
      const { page, faults } = await administration.openLoggedIn(`devices/${device.id}`, {
        javaScriptEnabled,
      })
      const act = async (name: string, effect: string, done: string) => {
        await page.getByRole('link', { name, exact: true }).press('Enter')
        await page.getByText(effect).waitFor()
        expect(await admin(`/v3/devices/${device.id}`)).toMatchObject(before)
        await page.getByRole('button', { name: `${name} device` }).press('Enter')
        await page.getByRole('status').filter({ hasText: done }).waitFor()
      }
      let before: Json = { approved: false }
      await act('Approve', 'If its version has a keystore', 'Device approved.')
      before = { approved: true, blocked: false }
      await act('Block', 'rejects every request', 'Device blocked.')
      expect((await device.sync()).status).toBe(403)
      before = { blocked: true }
      await act('Unblock', 'accepts the device’s requests again', 'Device unblocked.')
      expect((await device.sync()).status).toBe(200)
      const history = page.getByRole('region', { name: 'Changes, newest first' })
      expect(await history.getByRole('rowheader').allTextContents()).toEqual([
        'Unblocked',
        'Blocked',
        'Approved',
      ])
      expect(faults).toEqual([])
    },
  )

  test.each([true, false])(
    'all devices that a filter finds are blocked after a review, and unblocked by Undo, by keyboard, with scripts: %s',
    async (javaScriptEnabled) => {
      proves('many-devices-pages')
      const prefix = `fleet-${javaScriptEnabled}`
      const all = [await createNamed(`${prefix}-a`), await createNamed(`${prefix}-b`)]
      const blocked = await createNamed(`${prefix}-c`)
      await service().request('POST', `/v3/devices/${blocked.id}/block`, {
        token: await service().login(),
      })
      const { page, faults, goTo } = await administration.openLoggedIn(`devices?q=${prefix}`, {
        javaScriptEnabled,
      })
      /** The number is typed where these are many of all devices. */
      const confirm = async (button: string) => {
        const field = page.getByLabel('Type “2” to confirm')
        if ((await field.count()) > 0) await field.fill('2')
        await page.getByRole('button', { name: button, exact: true }).press('Enter')
      }
      await page.getByRole('link', { name: 'Block devices', exact: true }).press('Enter')
      await page.getByText('2 devices will change.').waitFor()
      if (javaScriptEnabled) await expectAccessible(page)
      const reached = page.getByRole('region', { name: 'Affected devices' })
      expect(await reached.getByRole('row').nth(1).textContent()).toContain(version.id)
      await confirm('Block devices')
      await page.getByRole('status').filter({ hasText: '2 devices blocked.' }).waitFor()
      for (const device of all) expect((await device.sync()).status).toBe(403)
      // The page was left: the list of devices leads to the change.
      await page.getByRole('link', { name: 'Devices', exact: true }).first().press('Enter')
      await page.getByRole('link', { name: 'Bulk changes' }).press('Enter')
      const change = page.getByRole('row').filter({ hasText: `Search: ${prefix}` })
      expect(await change.textContent()).toContain('2 of 2')
      await change.getByRole('link', { name: 'Undo' }).press('Enter')
      await page.getByText('2 devices will change.').waitFor()
      // What takes nothing away does not look as if it did.
      expect(
        await page.getByRole('button', { name: 'Unblock devices' }).getAttribute('class'),
      ).toBe(null)
      await confirm('Unblock devices')
      await page.getByRole('status').filter({ hasText: '2 devices unblocked.' }).waitFor()
      for (const device of all) expect((await device.sync()).status).toBe(200)
      expect((await blocked.sync()).status).toBe(403)
      await goTo('devices/change?change=block&q=nothing-like-this')
      await page.getByText('No devices will change.').waitFor()
      await page.getByRole('link', { name: 'Change the filters' }).press('Enter')
      expect(await page.getByLabel('Search').inputValue()).toBe('nothing-like-this')
      expect(faults).toEqual([])
    },
  )

  test('devices that a filter finds are removed when their number is typed, and not before', async () => {
    proves('many-devices-pages')
    await createNamed('scrap-a')
    await createNamed('scrap-b')
    const { page, goTo } = await administration.openLoggedIn('devices?q=scrap-')
    await page.getByRole('link', { name: 'Remove devices' }).press('Enter')
    await page.getByText('This can’t be undone.').waitFor()
    await page.getByLabel('Type “2” to confirm').fill('3')
    await page.keyboard.press('Enter')
    await page.getByText('The number doesn’t match “2”').waitFor()
    await page.getByLabel('Type “2” to confirm').fill('2')
    await page.keyboard.press('Enter')
    await page.getByRole('status').filter({ hasText: '2 devices removed.' }).waitFor()
    expect(await page.getByRole('link', { name: 'Undo' }).count()).toBe(0)
    await goTo('devices?q=scrap-')
    await page.getByText('No matching devices.').waitFor()
  })

  test('rejected registrations are grouped, and a group leads to its registrations', async () => {
    proves('rejection-groups')
    const from = nextAddress()
    for (const hostname of ['group-a', 'group-b'])
      await register(
        service(),
        await createIdentity(),
        version.installationApiKey,
        { version: '8.8.8', device: { hostname } },
        { from },
      )
    const { page, faults } = await administration.openLoggedIn('refusals')
    const groups = page.getByRole('region', { name: /^Rejected registrations, by reason/ })
    const row = groups.getByRole('row').filter({ hasText: '8.8.8' })
    expect(await row.getByRole('cell').allTextContents()).toMatchObject([
      '8.8.8',
      from.replace(/\d+$/, '0/24'),
      '2',
      '2',
      expect.any(String),
    ])
    await row.getByRole('link').press('Enter')
    await page.waitForURL(/network=/)
    const names = page.locator('main').getByRole('heading', { level: 2 })
    expect((await names.allTextContents()).toSorted().toReversed()).toEqual(['group-b', 'group-a'])
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Show all rejected registrations' }).press('Enter')
    await page.waitForURL(/refusals$/)
    expect(faults).toEqual([])
  })

  test('a device is removed when its name is typed, and not before', async () => {
    proves('device-page')
    const device = await createNamed('old-till')
    const { page } = await administration.openLoggedIn(`devices/${device.id}/remove`)
    await page.getByLabel('Type “old-till” to confirm').fill('another')
    await page.keyboard.press('Enter')
    await page.getByText('The name doesn’t match “old-till”').waitFor()
    await expectAccessible(page)
    expect(await admin(`/v3/devices/${device.id}`)).toMatchObject({ id: device.id })
    await page.getByLabel('Type “old-till” to confirm').fill('old-till')
    await page.keyboard.press('Enter')
    await page.getByText('Device removed.').waitFor()
    const token = await service().login()
    const gone = await service().request('GET', `/v3/devices/${device.id}`, { token })
    expect(gone.status).toBe(404)
  })

  test.each(['block', 'remove'])(
    'the page before a %s names the day on which access ends at the latest',
    async (change) => {
      proves('end-of-access-shown')
      const device = await createNamed('stolen-laptop')
      const { page } = await administration.openLoggedIn(`devices/${device.id}/${change}`)
      const shown = await page.locator('li time').getAttribute('datetime')
      // Thirty days after the end of the day on which the device was seen.
      const { lastSeenAt } = await admin(`/v3/devices/${device.id}`)
      const seen = Date.parse(`${lastSeenAt.slice(0, 10)}T00:00:00.000Z`)
      const days = (Date.parse(shown ?? '') - seen) / 86_400_000
      expect(days).toBe(31)
    },
  )

  test('a viewer is shown nothing to change a device with, and a form that is sent all the same changes nothing', async () => {
    const device = await createNamed('seen-by-viewers')
    const account = await addAccount(service(), 'viewer')
    const { page, goTo } = await administration.open()
    await goTo(`devices/${device.id}`)
    await logIn(page, account)
    await page.getByRole('heading', { level: 1, name: 'seen-by-viewers' }).waitFor()
    expect(await page.getByRole('link', { name: 'Block', exact: true }).count()).toBe(0)
    await goTo(`devices/${device.id}/block`)
    await page.getByText('You don’t have permission to do this.').waitFor()
    expect(await page.getByRole('button', { name: 'Block device' }).count()).toBe(0)
    const session = await openPageSession(service(), account)
    expect((await session.post(`devices/${device.id}/block`)).status).toBe(403)
    expect(await admin(`/v3/devices/${device.id}`)).toMatchObject({ blocked: false })
  })

  test('a device shows its errors in words with what to do, its update status with the reason, and its logs', async () => {
    proves('device-page')
    const device = await createNamed('front-desk', {
      faults: [fault('keystore-refused', 'the password is wrong'), fault('of-another-planet')],
    })
    await device.request('POST', '/v3/devices/logs', new TextEncoder().encode('lines'))
    const { page, faults } = await administration.openLoggedIn(`devices/${device.id}`)
    const text = await page.locator('main').textContent()
    expect(text).toContain('Can’t use the keystore (since ')
    expect(text).toContain('Check the keystore’s password')
    expect(text).toContain('the password is wrong')
    expect(text).toContain('of-another-planet')
    expect(text).toContain(`No update needed. The device runs version ${version.id}.`)
    const download = page.waitForEvent('download')
    await page.getByRole('link', { name: 'download the latest ones' }).click()
    expect(await readFile(await (await download).path(), 'utf8')).toBe('lines')
    expect(faults).toEqual([])
  })

  test('names with markup are shown as text', async () => {
    proves('device-name-markup')
    const device = await createNamed(markup, {
      user: { username: markup, name: markup },
      faults: [fault('reply-refused', markup)],
    })
    const { page, faults, goTo } = await administration.openLoggedIn(`devices/${device.id}`)
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(markup)
    for (const to of [
      '',
      'devices',
      `devices?q=${encodeURIComponent(markup)}`,
      `devices/${device.id}/remove`,
      `refusals?q=${encodeURIComponent(markup)}`,
    ]) {
      await goTo(to)
      expect(await page.locator('main img').count()).toBe(0)
    }
    expect(faults).toEqual([])
  })

  test('a rejected device is found by name, address and fingerprint, with the reason in words and what to do', async () => {
    proves('rejection-search')
    const [from, identity] = [nextAddress(), await createIdentity()]
    const body = { version: '9.9.9', device: { hostname: 'lost-till' } }
    await register(service(), identity, version.installationApiKey, body, { from })
    const { page, faults, goTo } = await administration.openLoggedIn('refusals')
    for (const search of ['LOST-till', from, identity.fingerprint]) {
      await goTo('refusals')
      await page.getByLabel('Host name, IP address').fill(search)
      await page.keyboard.press('Enter')
      await page.waitForURL(/q=/)
      const text = await page.locator('main').textContent()
      expect(text).toContain('Version 9.9.9 isn’t registered with this service.')
      expect(text).toContain('Register version 9.9.9')
      expect(text).toContain(from)
    }
    await goTo('refusals?q=never-came')
    expect(await page.locator('main').textContent()).toContain('hasn’t reached this service')
    const known = await createNamed('known-till')
    await goTo('refusals?q=known-till')
    expect(await page.getByRole('link', { name: 'known-till' }).getAttribute('href')).toBe(
      `devices/${known.id}`,
    )
    expect(faults).toEqual([])
  })

  test('the overview counts, shows the versions in the field as chart and table, and says what to do next', async () => {
    proves('overview')
    await createNamed('faulty', { faults: [fault('digest-mismatch')] })
    await withDatabase(service(), async ({ run }) => {
      const today = Math.floor(Date.now() / 86_400_000)
      for (let day = 1; day < 30; day += 1)
        await run("insert into fleet_days values (?, '3.0.0', 'UNIX', ?)", today - day, 10 * day)
    })
    const { page, faults } = await administration.openLoggedIn()
    await page.getByRole('img', { name: /^Devices seen each day, by version/ }).waitFor()
    await page.getByText('Show as table').press('Enter')
    const table = page.getByRole('region', { name: 'Devices seen, by day and version' })
    expect(await table.getByRole('row').count()).toBe(31)
    const columns = await table.getByRole('columnheader').allTextContents()
    expect(columns).toEqual(['Day', '3.0.0', version.id])
    expect(await table.getByRole('row').nth(2).getByRole('cell').allTextContents()).toEqual([
      '10',
      '0',
    ])
    await page.getByRole('link', { name: 'Review devices with errors' }).press('Enter')
    await page.waitForURL(/devices\?fault=any/)
    expect(await rowsOf(page)).toContain('faulty')
    expect(faults).toEqual([])
  })

  test.each(['light', 'dark'] as const)(
    'the screens have no fault that axe finds, in %s, and fit a narrow window',
    async (colorScheme) => {
      proves('pages-accessible')
      const device = await createNamed(`axe-${colorScheme}`, {
        faults: [fault('keystore-refused')],
      })
      const viewport = { width: 320, height: 640 }
      const { page, goTo, faults } = await administration.openLoggedIn('', {
        colorScheme,
        viewport,
      })
      for (const to of [
        '',
        'devices',
        'devices?q=nobody',
        `devices/${device.id}`,
        `devices/${device.id}/block`,
        `devices/${device.id}/remove`,
        'devices/change?change=remove&q=axe',
        'devices/changes',
        'refusals',
        'refusals?q=nobody',
      ]) {
        await goTo(to)
        await expectAccessible(page, colorScheme)
        await expectNoSidewaysScroll(page)
      }
      expect(faults).toEqual([])
    },
  )
})

test.runIf(existsSync(headlessProgram))(
  'a service without devices shows the way to the first one',
  async () => {
    proves('overview')
    const administration = await startAdministration()
    try {
      const { page, goTo } = await administration.openLoggedIn('devices')
      await page.getByText('No connectors have registered yet.').waitFor()
      await goTo('refusals')
      await page.getByText('No rejected registrations in the last 30 days.').waitFor()
      await goTo('')
      await page.getByText('No connectors have registered yet.').waitFor()
      await expectAccessible(page)
      await page.getByRole('link', { name: 'first steps' }).press('Enter')
      await page.waitForURL(/first-use$/)
    } finally {
      await administration.stop()
    }
  },
)
