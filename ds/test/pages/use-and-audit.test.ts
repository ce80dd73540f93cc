/** Use, downloads and the audit in the admin console, in Chromium. */
import { existsSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { headlessProgram } from '../../../test/bed/chromium.ts'
import { proves } from '../../../test/bed/proves.ts'
import type { Json } from '../../../test/bed/service-request.ts'
import { createLabel, createVersion } from '../harness/arrange.ts'
import { createDevice } from '../harness/device.ts'
import {
  type Administration,
  expectAccessible,
  expectNoSidewaysScroll,
  startAdministration,
} from './administration.ts'

const toDay = (daysAgo: number) =>
  new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10)

/** As the pages write it: `Nov 27, 2026`. */
const toText = (daysAgo: number) =>
  new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' }).format(
    Date.parse(toDay(daysAgo)),
  )

describe.runIf(existsSync(headlessProgram))('use and audit', () => {
  let administration: Administration
  let label: Json
  /** The id and the name of its organization, as tables have them. */
  let owner: string
  beforeAll(async () => {
    administration = await startAdministration()
    const { service } = administration
    const token = await service.login()
    label = await createLabel(service, token, { name: '<b>Bold</b> & co' })
    const path = `/v3/organizations/${label['orgId']}`
    const { name } = (await service.request('GET', path, { token })).json.data
    owner = `${label['orgId']},${name}`
    const device = await createDevice(service, await createVersion(service, token))
    const entry = { label: label['id'], module: 'belgian-eid', useCase: 'signature', count: 7 }
    const entries = [
      { ...entry, day: toDay(1) },
      { ...entry, day: toDay(0), useCase: 'print', count: 1204, tag: '<i>shop</i>' },
      { ...entry, day: toDay(60), count: 3 },
    ]
    await device.sync({ batches: [{ id: crypto.randomUUID(), entries }] })
    await service.putPackage('a.deb', new TextEncoder().encode('bytes'))
    await createVersion(service, token, {
      id: '4.0.0',
      uris: [{ os: 'UNIX', uri: 'file:///a.deb' }],
    })
    await (await fetch(`${service.url}/v3/downloads/installers/unix/versions/4.0.0`)).text()
  })
  afterAll(() => administration?.stop())

  const listRows = async (page: Page, caption: string) =>
    (await page.getByRole('table', { name: caption }).getByRole('row').allTextContents()).slice(1)

  test('uses of 30 days are a chart, its table and the counters, and filters are in the address', async () => {
    proves('usage-chart')
    const { page, faults, goTo } = await administration.openLoggedIn('use')
    await page.getByText('1,211 uses in total.').waitFor()
    await page.getByRole('img', { name: 'Usage per day' }).waitFor()
    await page.getByText('Show as table').press('Enter')
    expect(await listRows(page, 'Usage per day')).toEqual([`${toText(1)}7`, `${toText(0)}1,204`])
    expect(await listRows(page, 'Usage by application')).toEqual([
      `${toText(0)}<b>Bold</b> & cobelgian-eidPrinting<i>shop</i>1,204`,
      `${toText(1)}<b>Bold</b> & cobelgian-eidSignature7`,
    ])
    await page.getByLabel('Use case').selectOption('signature')
    await page.getByLabel('From', { exact: true }).fill(toDay(90))
    await page.getByRole('button', { name: 'Apply' }).press('Enter')
    await page.getByText('10 uses in total.').waitFor()
    expect(page.url()).toContain(`useCase=signature`)
    await goTo('use?module=none')
    await page.getByText('No usage for this filter.').waitFor()
    expect(faults).toEqual([])
  })

  test('uses, downloads and the audit are saved as CSV', async () => {
    proves('usage-chart')
    const { page } = await administration.openLoggedIn('use')
    const read = async (link: string) => {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('link', { name: link }).press('Enter'),
      ])
      const parts: Buffer[] = []
      for await (const part of await download.createReadStream()) parts.push(part as Buffer)
      return [download.suggestedFilename(), Buffer.concat(parts).toString().split('\r\n')] as const
    }
    expect(await read('Download all as CSV')).toEqual([
      'counters.csv',
      [
        'day,label,module,useCase,tag,count,orgId,organization',
        `${toDay(0)},${label['id']},belgian-eid,print,<i>shop</i>,1204,${owner}`,
        `${toDay(1)},${label['id']},belgian-eid,signature,,7,${owner}`,
        '',
      ],
    ])
    await page.getByRole('link', { name: 'Installer downloads' }).press('Enter')
    await page.getByText('1 download in total.').waitFor()
    expect(await read('Download all as CSV')).toEqual([
      'downloads.csv',
      ['day,version,system,count', `${toDay(0)},4.0.0,UNIX,1`, ''],
    ])
    await page.getByRole('link', { name: 'Audit log' }).press('Enter')
    const [name, lines] = await read('Download these entries as CSV')
    expect(name).toBe('audit.csv')
    expect(lines.length).toBeGreaterThan(4)
  })

  test('uses and unique devices of a month are shown by organization, and saved as CSV', async () => {
    proves('use-by-organization')
    const { page, faults } = await administration.openLoggedIn('use')
    await page.getByRole('link', { name: 'usage by organization' }).press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Usage by organization' }).waitFor()
    const month = toDay(60).slice(0, 7)
    await page.getByLabel('Month').selectOption(month)
    await page.getByRole('button', { name: 'Show' }).press('Enter')
    await page
      .getByText('3 uses in total. Unique devices were not counted in this month.')
      .or(page.getByText('3 uses by 1 unique device in total.'))
      .waitFor()
    const name = owner.split(',')[1]
    const rows = await listRows(page, 'Usage by organization and application')
    expect(rows.map((row) => row.replace(/(?:1|Not counted)$/, ''))).toEqual([
      `${name}All applications3`,
      `${name}<b>Bold</b> & co3`,
    ])
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download all as CSV' }).press('Enter'),
    ])
    expect(download.suggestedFilename()).toBe(`use-${month}.csv`)
    await page.getByLabel('Month').selectOption({ index: 10 })
    await page.getByRole('button', { name: 'Show' }).press('Enter')
    await page.getByText('No usage in this month.').waitFor()
    expect(faults).toEqual([])
  })

  test('a version names the file that was uploaded for it, with its hash and size', async () => {
    proves('installer-location')
    const { page } = await administration.openLoggedIn('versions/4.0.0')
    expect(await listRows(page, 'Installers by system')).toEqual([
      'Linuxa.deb277089d91c0bdf4f2e6862ba7e4a07605119431f5d13f726dd352b06f1b206a95 bytesDownload for Linux',
    ])
    await page.getByRole('link', { name: 'a.deb' }).press('Enter')
    await page.getByRole('heading', { level: 1, name: 'a.deb' }).waitFor()
    await page.getByText('You can’t remove this file while a version uses it.').waitFor()
  })

  test('the history of a label leads from its page, and is filtered by who and by day', async () => {
    proves('resource-history')
    const { page, faults, goTo } = await administration.openLoggedIn(`labels/${label['id']}`)
    await page.getByRole('link', { name: 'Changes in the audit log' }).press('Enter')
    await page.getByRole('heading', { name: 'Audit log' }).waitFor()
    const rows = await listRows(page, 'Changes, newest first')
    expect(rows).toHaveLength(2)
    for (const row of rows)
      expect(row).toContain('adminAdded or changed an applicationApplication <b>Bold</b> & co')
    await page.getByLabel('To', { exact: true }).fill(toDay(1))
    await page.getByRole('button', { name: 'Apply' }).press('Enter')
    await page.getByText('No matching entries.').waitFor()
    await goTo(`audit?who=admin&from=${toDay(0)}&to=${toDay(0)}`)
    expect((await listRows(page, 'Changes, newest first')).length).toBeGreaterThan(4)
    expect(faults).toEqual([])
  })

  test.each(['light', 'dark'] as const)(
    'the pages have no fault that axe finds, in %s, and fit a narrow window',
    async (colorScheme) => {
      const viewport = { width: 320, height: 640 }
      const { page, faults, goTo } = await administration.openLoggedIn('', {
        colorScheme,
        viewport,
      })
      for (const to of [
        'use',
        'use?module=none',
        'downloads',
        'organization-use',
        'audit',
        'audit?who=nobody',
      ]) {
        await goTo(to)
        await expectAccessible(page, colorScheme)
        await expectNoSidewaysScroll(page)
      }
      expect(faults).toEqual([])
    },
  )
})
