/** Rollouts in the admin console, in Chromium. */
import { existsSync } from 'node:fs'
import type { Page, Request } from 'playwright-core'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { headlessProgram } from '../../../test/bed/chromium.ts'
import { proves } from '../../../test/bed/proves.ts'
import type { Json } from '../../../test/bed/service-request.ts'
import { addAccount } from '../harness/accounts.ts'
import { createRollout, createVersion, getData } from '../harness/arrange.ts'
import { createDevice } from '../harness/device.ts'
import { fromOwnPage, openPageSession } from '../harness/page-session.ts'
import { withDatabase } from '../harness/stored-data.ts'
import {
  type Administration,
  expectAccessible,
  expectNoSidewaysScroll,
  startAdministration,
} from './administration.ts'

/** The version of the devices, and the one that is rolled out. */
const [before, after] = ['1.0.0', '1.1.0']

describe.runIf(existsSync(headlessProgram))('rollouts', () => {
  let administration: Administration
  beforeEach(async () => {
    administration = await startAdministration()
  })
  afterEach(() => administration?.stop())

  const send = async (method: string, path: string, body?: Json) => {
    const { service } = administration
    return service.request(method, path, { token: await service.login(), body })
  }
  const read = async (id: string) => getData(await send('GET', `/v3/rollouts/${id}`))
  const list = async () => getData(await send('GET', '/v3/rollouts')).items

  async function register(id: string, overrides: Json = {}): Promise<Json> {
    const { service } = administration
    const version = await createVersion(service, await service.login(), { id, ...overrides })
    const config = { cors: ['https://shop.example'] }
    const body = { type: 'CONTEXT_CONFIG', versionId: id, config }
    getData(await send('PUT', '/v3/configurations', body))
    return version
  }

  /** Both versions, and so many devices with the earlier one; `add` registers one more. */
  async function createFleet(count: number, platform = 'UNIX') {
    const version = await register(before)
    await register(after)
    const add = () => createDevice(administration.service, version, { platform })
    for (let n = 0; n < count; n += 1) await add()
    return { add }
  }

  const create = async (state = 'draft', overrides: Json = {}) => {
    const { service } = administration
    const token = await service.login()
    return createRollout(service, token, state, { version: after, ...overrides })
  }

  const confirmWith = async (page: Page, text: string) => {
    await page.getByLabel(/to confirm/).fill(text)
    await page.keyboard.press('Enter')
  }

  /** As a browser does when the user presses a button twice. */
  async function sendAgain(page: Page, request: Request): Promise<number> {
    const response = await page.context().request.post(request.url(), {
      headers: {
        ...fromOwnPage(administration.service),
        'content-type': 'application/x-www-form-urlencoded',
      },
      data: request.postData() ?? '',
      maxRedirects: 0,
    })
    return response.status()
  }

  const heading = (page: Page, name: string) =>
    page.getByRole('heading', { level: 1, name, exact: true }).waitFor()

  test.each([true, false])(
    'a rollout is created by keyboard, and a form that is sent twice creates one, with scripts: %s',
    async (javaScriptEnabled) => {
      proves('rollout-form')
      await createFleet(0)
      const { page, faults } = await administration.openLoggedIn('rollouts', { javaScriptEnabled })
      await page.getByText('A rollout offers a new version to a growing share').waitFor()
      await page.getByRole('link', { name: 'Create rollout' }).press('Enter')
      await heading(page, 'Create a rollout')
      expect(await page.getByLabel('Version').locator('option').allTextContents()).toEqual([after])
      await page.getByLabel('Release status').selectOption('mandatory')
      await page.getByLabel('Share of devices in stage 2, in percent').fill('12.5')
      await page.getByLabel('Hold time of stage 2, in hours').fill('36')
      const sent = page.waitForRequest((request) => request.method() === 'POST')
      await page.keyboard.press('Enter')
      await page.getByRole('status').getByText('Rollout created. It hasn’t started yet.').waitFor()
      await page.getByText('This rollout hasn’t started.').waitFor()
      const [first] = await list()
      expect(first).toMatchObject({
        ...{ version: after, flag: 'mandatory', state: 'draft', goodRate: 1, badRate: 4 },
        stages: [
          { share: 1, holdS: 172_800 },
          { share: 12.5, holdS: 129_600 },
          { share: 50, holdS: 86_400 },
          { share: 100, holdS: 86_400 },
        ],
      })
      await heading(page, 'Rollout of version 1.1.0')
      expect(await sendAgain(page, await sent)).toBe(303)
      expect((await list()).map(({ id }: Json) => id)).toEqual([first.id])
      expect(faults).toEqual([])
    },
  )

  test('what is wrong with a rollout is said beside its fields, and what was typed is kept', async () => {
    proves('form-errors')
    await createFleet(0)
    const { page } = await administration.openLoggedIn('rollouts/new')
    await page.getByLabel('Share of devices in stage 2, in percent').fill('60')
    await page.getByRole('button', { name: 'Save rollout' }).press('Enter')
    await page
      .getByRole('group', { name: 'Stages' })
      .getByText(/each share to be larger/)
      .waitFor()
    const second = page.getByLabel('Share of devices in stage 2, in percent')
    expect(await second.inputValue()).toBe('60')
    await second.fill('10')
    await page.getByLabel('Hold time of stage 3, in hours').fill('')
    await page.keyboard.press('Enter')
    await page.locator('#hold-2[aria-invalid=true][aria-describedby~=hold-2-error]').waitFor()
    await expectAccessible(page)
    await page.getByLabel('Hold time of stage 3, in hours').fill('24')
    expect(await page.getByLabel('Unacceptable failure rate (%)').isVisible()).toBe(false)
    await page.getByText('Failure rates', { exact: true }).click()
    await page.getByLabel('Unacceptable failure rate (%)').fill('1')
    await page.keyboard.press('Enter')
    await page.locator('#badRate-error').waitFor()
    expect(await page.getByLabel('Unacceptable failure rate (%)').inputValue()).toBe('1')
    expect(await list()).toEqual([])
  })

  test('the form has only versions that can be rolled out, and says what to do where there is none', async () => {
    await register('1.0.0')
    await register('1.1.0', { allowed: false })
    await register('1.2.0')
    await register('1.3.0', { recommended: true })
    const { page, goTo } = await administration.openLoggedIn('rollouts/new')
    await page.getByText('There is no version to roll out.').waitFor()
    await page.getByRole('link', { name: 'Register version' }).waitFor()
    await register('1.4.0')
    await register('1.5.0')
    await create('draft', { version: '1.5.0' })
    await goTo('rollouts/new')
    expect(await page.getByLabel('Version').locator('option').allTextContents()).toEqual(['1.4.0'])
  })

  test('a version that got a rollout meanwhile is refused beside its field, and stays chosen', async () => {
    await createFleet(0)
    await register('1.2.0')
    const { page } = await administration.openLoggedIn('rollouts/new')
    await page.getByLabel('Version').selectOption('1.2.0')
    await create('draft', { version: '1.2.0' })
    await page.getByRole('button', { name: 'Save rollout' }).press('Enter')
    await page.locator('#version-error').getByText('This version already has a rollout.').waitFor()
    expect(await page.getByLabel('Version').inputValue()).toBe('1.2.0')
    expect(await list()).toHaveLength(1)
  })

  test('a draft is edited, and removed', async () => {
    await createFleet(0)
    const { id } = await create()
    const { page } = await administration.openLoggedIn(`rollouts/${id}`)
    await page.getByRole('link', { name: 'Edit rollout' }).press('Enter')
    expect(await page.getByLabel('Share of devices in stage 1, in percent').inputValue()).toBe('50')
    await page.getByLabel('Share of devices in stage 1, in percent').fill('0.5')
    await page.keyboard.press('Enter')
    await page.getByRole('row').filter({ hasText: '0.5%' }).waitFor()
    expect((await read(id)).stages[0]).toEqual({ share: 0.5, holdS: 172_800 })
    await page.getByRole('link', { name: 'Remove rollout' }).press('Enter')
    await page.getByRole('button', { name: 'Remove rollout' }).press('Enter')
    await page.getByRole('status').getByText('Rollout removed.').waitFor()
    expect(await list()).toEqual([])
  })

  test('the start says how many devices the rollout reaches, and reaches no more than it said', async () => {
    proves('change-reviewed')
    const { add } = await createFleet(3)
    const { id } = await create()
    const { page } = await administration.openLoggedIn(`rollouts/${id}`)
    await page.getByRole('link', { name: 'Start rollout' }).press('Enter')
    await page.getByText('3 devices will be offered the version, stage by stage.').waitFor()
    await page.getByText('The stage that starts now (50%) reaches about 2 of them.').waitFor()
    await expectAccessible(page)
    await confirmWith(page, '4')
    await page.getByText('The number doesn’t match “3”').waitFor()
    expect((await read(id)).state).toBe('draft')
    await add()
    await confirmWith(page, '3')
    await page.getByText('This change now affects more devices than you confirmed.').waitFor()
    expect((await read(id)).state).toBe('draft')
    await confirmWith(page, '4')
    await page.getByRole('status').getByText('Rollout started.').waitFor()
    await page.getByText('Running. 50% of your devices are offered the version.').waitFor()
    await page.getByText('Current stage.').waitFor()
    expect((await read(id)).state).toBe('running')
  })

  test('a rollout that has changed since its start was shown does not start, and is shown again', async () => {
    await createFleet(1)
    const { id } = await create()
    const { page } = await administration.openLoggedIn(`rollouts/${id}/start`)
    const stages = [{ share: 100, holdS: 3600 }]
    const body = { version: after, flag: 'recommended', stages }
    getData(await send('PUT', `/v3/rollouts/${id}`, body))
    await confirmWith(page, '1')
    await page.getByRole('alert').getByText('Someone else changed this.').waitFor()
    await page.getByText('The stage that starts now (100%) reaches about 1 of them.').waitFor()
    expect((await read(id)).state).toBe('draft')
    const sent = page.waitForRequest((request) => request.method() === 'POST')
    await confirmWith(page, '1')
    await page.getByRole('status').getByText('Rollout started.').waitFor()
    expect(await sendAgain(page, await sent)).toBe(303)
    expect(await read(id)).toMatchObject({ state: 'running', revision: 3 })
  })

  test('a version that stops devices for lack of an installer is rolled out only if that is confirmed', async () => {
    await createFleet(1, 'WIN32')
    const { id } = await create('draft', { flag: 'mandatory' })
    const { page } = await administration.openLoggedIn(`rollouts/${id}/start`)
    await page.getByText('stop until they are updated to version 1.1.0').waitFor()
    await confirmWith(page, '1')
    await page.getByRole('alert').getByText('Add an installer for their system').waitFor()
    expect((await read(id)).state).toBe('draft')
    await page.getByLabel('Continue anyway').press('Space')
    await confirmWith(page, '1')
    await page.getByRole('status').getByText('Rollout started.').waitFor()
    expect((await read(id)).state).toBe('running')
  })

  test('devices that a new rollout holds back are said before it is saved', async () => {
    proves('change-reviewed')
    const version = await register(before)
    await createDevice(administration.service, version)
    await register(after)
    const block = `/v3/versions/${before}?force=true&maxReach=9`
    getData(await send('PATCH', block, { allowed: false }))
    const { page } = await administration.openLoggedIn('rollouts/new')
    await page.getByLabel('Release status').selectOption('mandatory')
    await page.getByRole('button', { name: 'Save rollout' }).press('Enter')
    await page.getByText('1 device would update to this version now.').waitFor()
    expect(await list()).toEqual([])
    await page.getByRole('button', { name: 'Keep editing' }).press('Enter')
    expect(await page.getByLabel('Release status').inputValue()).toBe('mandatory')
    await page.getByRole('button', { name: 'Save rollout' }).press('Enter')
    await page.getByRole('button', { name: 'Save rollout' }).press('Enter')
    await page.getByRole('status').getByText('Rollout created.').waitFor()
    expect(await list()).toMatchObject([{ version: after, flag: 'mandatory' }])
  })

  test('a rollout that was halted is removed, after the page has said which devices get the version then', async () => {
    proves('change-reviewed')
    await createFleet(2)
    const { id } = await create('running')
    const { page, goTo } = await administration.openLoggedIn(`rollouts/${id}/remove`)
    await page.getByText('Status of the rollout: Running.').waitFor()
    getData(await send('PUT', `/v3/rollouts/${id}/state`, { state: 'halted' }))
    // Its devices have to update, and the version of the rollout is the only one.
    const block = `/v3/versions/${before}?force=true&maxReach=9`
    getData(await send('PATCH', block, { allowed: false }))
    await goTo(`rollouts/${id}`)
    await page.getByRole('link', { name: 'Remove rollout' }).press('Enter')
    await page.getByText('Its results are removed, too.').waitFor()
    await page.getByRole('button', { name: 'Remove rollout' }).press('Enter')
    await page.getByText('Without the rollout, 2 devices update to the version').waitFor()
    expect(await list()).toHaveLength(1)
    await page.getByRole('button', { name: 'Remove rollout' }).press('Enter')
    await page.getByRole('status').getByText('Rollout removed.').waitFor()
    expect(await list()).toEqual([])
  })

  test('a rollout is paused, resumed, and halted from the list and from the overview with one confirmation', async () => {
    proves('rollout-page')
    await createFleet(1)
    const { id } = await create('running')
    const { page, goTo, faults } = await administration.openLoggedIn(`rollouts/${id}`)
    await page.getByRole('link', { name: 'Pause rollout' }).press('Enter')
    await page.getByText('You can resume the rollout afterward.').waitFor()
    expect(await page.getByLabel(/to confirm/).count()).toBe(0)
    await page.getByRole('button', { name: 'Pause rollout' }).press('Enter')
    await page.getByText('Paused. 50% of your devices are still offered the version.').waitFor()
    expect((await read(id)).state).toBe('paused')

    await page.getByRole('link', { name: 'Resume rollout' }).press('Enter')
    await confirmWith(page, '1')
    await page.getByRole('status').getByText('Rollout resumed.').waitFor()

    await goTo('rollouts')
    const row = page.getByRole('row').filter({ hasText: after })
    expect((await row.getByRole('cell').allTextContents()).slice(0, 3)).toEqual([
      ...['Running', '50%', '0'],
    ])
    await row.getByRole('link', { name: 'Halt 1.1.0' }).press('Enter')
    expect(await page.getByLabel(/to confirm/).count()).toBe(0)
    // Whatever the rollout has become meanwhile.
    getData(await send('PUT', `/v3/rollouts/${id}/state`, { state: 'paused' }))
    await page.getByRole('button', { name: 'Halt rollout' }).press('Enter')
    await page.getByText('Halted. The version is no longer offered.').waitFor()
    await page.getByText(/Halted by admin, /).waitFor()
    const errors = page.getByRole('link', { name: 'errors of the devices that have the version' })
    expect(await errors.getAttribute('href')).toBe('devices?version=1.1.0&fault=any')
    expect((await read(id)).state).toBe('halted')

    await page.getByRole('link', { name: 'Resume rollout' }).press('Enter')
    await page.getByText('the test starts over').waitFor()
    await confirmWith(page, '1')
    await page.getByRole('status').getByText('Rollout resumed.').waitFor()
    await goTo('')
    await page.getByRole('link', { name: 'Halt 1.1.0' }).press('Enter')
    await page.getByRole('button', { name: 'Halt rollout' }).press('Enter')
    await page.getByRole('status').getByText('Rollout halted.').waitFor()
    expect((await read(id)).state).toBe('halted')
    expect(faults).toEqual([])
  })

  test.each([true, false])(
    'an emergency stop halts the rollouts and blocks a version by keyboard, says first whom it affects, and leads back, with scripts: %s',
    async (javaScriptEnabled) => {
      proves('emergency-stop-page', 'change-reviewed')
      await register('0.9.0')
      const { add } = await createFleet(2)
      const { id } = await create('running')
      const { page, goTo } = await administration.openLoggedIn('', { javaScriptEnabled })
      await page.getByRole('link', { name: 'Emergency stop' }).press('Enter')
      await heading(page, 'Emergency stop')
      await page.getByRole('row').filter({ hasText: after }).getByText('Running').waitFor()
      await page.getByLabel('Version to block').selectOption(before)
      if (javaScriptEnabled) await expectAccessible(page)
      await page.getByRole('button', { name: 'Review' }).press('Enter')
      await page.getByText('2 devices are affected.').waitFor()
      await page
        .getByText('The connector will stop on 2 devices. An installer is available')
        .waitFor()
      await page.getByText('These rollouts will be halted.').waitFor()
      if (javaScriptEnabled) await expectAccessible(page)
      await confirmWith(page, after)
      await page.getByText(`The name doesn’t match “${before}”`).waitFor()
      expect((await read(id)).state).toBe('running')
      await add()
      await confirmWith(page, before)
      await page.getByText('This change now affects more devices than you confirmed.').waitFor()
      await page.getByText('The connector will stop on 3 devices.').waitFor()
      expect((await read(id)).state).toBe('running')
      const sent = page.waitForRequest((request) => request.method() === 'POST')
      await confirmWith(page, before)
      await page.getByRole('status').getByText('The version is blocked, and all').waitFor()
      expect(await sendAgain(page, await sent)).toBe(303)
      expect((await read(id)).state).toBe('halted')
      const stored = async () => getData(await send('GET', `/v3/versions/${before}`))
      expect(await stored()).toMatchObject({ allowed: false, revision: 2 })

      await page.getByRole('link', { name: `Allow version ${before} again` }).press('Enter')
      await page.getByRole('button', { name: 'Review changes' }).press('Enter')
      await confirmWith(page, before)
      await heading(page, `Version ${before}`)
      expect(await stored()).toMatchObject({ allowed: true, revision: 3 })
      await goTo('rollouts')
      await page.getByRole('link', { name: 'Emergency stop' }).press('Enter')
      await page.getByRole('link', { name: 'Resume the rollout of version 1.1.0' }).press('Enter')
      await confirmWith(page, '3')
      await page.getByRole('status').getByText('Rollout resumed.').waitFor()

      await goTo(`versions/${after}`)
      await page.getByRole('link', { name: 'Emergency stop' }).press('Enter')
      await page.getByText(`Version ${after} will be blocked.`).waitFor()
      await page.getByRole('button', { name: 'Stop now' }).press('Enter')
      await page.getByRole('status').getByText('The version is blocked, and all').waitFor()
      await goTo('stop/review')
      await page.getByText('There is nothing to stop.').waitFor()
      expect(await page.getByRole('button', { name: 'Stop now' }).count()).toBe(0)
    },
  )

  test('an emergency stop without a version is confirmed at once, and one that does something else by now is reviewed again', async () => {
    proves('emergency-stop-page', 'change-reviewed')
    await createFleet(1)
    const { id } = await create('running')
    const { page, goTo } = await administration.openLoggedIn('stop')
    await page.getByRole('button', { name: 'Review' }).press('Enter')
    expect(await page.getByLabel(/to confirm/).count()).toBe(0)
    await page.getByRole('button', { name: 'Stop now' }).press('Enter')
    await page.getByRole('status').getByText('All rollouts are halted.').waitFor()
    expect((await read(id)).state).toBe('halted')

    await goTo(`stop/review?version=${before}`)
    await page.getByText('No installer is available for it.').waitFor()
    // Its version is then what the device can change to.
    getData(await send('DELETE', `/v3/rollouts/${id}`))
    await confirmWith(page, before)
    await page.getByRole('alert').waitFor()
    await page.getByText('An installer is available for it.').waitFor()
    expect(getData(await send('GET', `/v3/versions/${before}`)).allowed).toBe(true)
  })

  test('a rollout is finished with the number of all devices, and what is no longer possible is said', async () => {
    await createFleet(2)
    const { id } = await create('running')
    const { page, goTo } = await administration.openLoggedIn(`rollouts/${id}`)
    await page.getByRole('link', { name: 'Finish now' }).press('Enter')
    await page.getByText('2 devices will be offered the version at the next sync.').waitFor()
    await page.getByText('A finished rollout can’t be resumed or halted.').waitFor()
    await confirmWith(page, '2')
    await page.getByText('Finished. The version is offered to all devices.').waitFor()
    await page.getByRole('row').filter({ hasText: 'Skipped' }).waitFor()
    expect(getData(await send('GET', `/v3/versions/${after}`)).recommended).toBe(true)
    for (const act of ['start', 'pause', 'halt', 'resume']) {
      await goTo(`rollouts/${id}/${act}`)
      await page.getByText('Status of the rollout: Finished.').waitFor()
      expect(await page.locator('main form').count()).toBe(0)
    }
  })

  test('the version says that it is in a rollout', async () => {
    await createFleet(0)
    const { page, goTo } = await administration.openLoggedIn(`versions/${after}`)
    expect(await page.getByText('rollout', { exact: false }).count()).toBe(1)
    const { id } = await create()
    await goTo(`versions/${after}`)
    await page.getByText('that hasn’t started. No devices update to it yet.').waitFor()
    await page.getByRole('link', { name: 'a rollout' }).press('Enter')
    await page.waitForURL(`${administration.service.url}/admin/rollouts/${id}`)
    await goTo(`versions/${before}`)
    expect(await page.getByRole('link', { name: 'a rollout' }).count()).toBe(0)
  })

  /** What is known of devices that have been reached, as if they had synced, and why it was halted. */
  async function storeEvidence(rollout: string): Promise<void> {
    const devices = getData(await send('GET', '/v3/devices')).items.map(({ id }: Json) => id)
    await withDatabase(administration.service, async ({ run }) => {
      const now = Date.now()
      for (const [arm, outcome, installed] of [
        ['reached', 'success', now],
        ['reached', 'fault', now],
        ['control', 'success', 0],
      ] as const)
        await run(
          `insert into rollout_devices (rollout_id, device_id, arm, stage, since, seen_at, faults, installed_at, outcome)
           values (?, ?, ?, 0, ?, ?, '[]', nullif(?, 0), ?)`,
          ...[rollout, devices.pop(), arm, now, now, installed, outcome],
        )
      const halt = { at: now, subject: 'local', issuer: null, name: 'Cardwire' }
      const test = { ratio: 7.25, failures: 5.4, tested: 21 }
      await run(
        "update rollouts set state = 'halted', halt = ? where id = ?",
        ...[JSON.stringify({ ...halt, test }), rollout],
      )
    })
  }

  test('a rollout says how its devices do beside the comparison group, and why the service halted it', async () => {
    proves('rollout-page')
    await createFleet(3)
    const { id } = await create('running')
    await storeEvidence(id)
    const { page } = await administration.openLoggedIn(`rollouts/${id}`)
    await page.getByText(/Halted by the service, .*Failures: 5\.4 of 21 devices/).waitFor()
    await page.getByText('The test ratio was 7.3.').waitFor()
    const table = page.getByRole('region', { name: 'Devices reached, and the comparison group' })
    expect((await table.getByRole('row').allInnerTexts()).map((row) => row.split('\t'))).toEqual([
      ['Devices', 'Reached', 'Comparison group'],
      ['Total', '2', '1'],
      ['Installed the version', '2', 'Not offered'],
      ['Working', '1', '1'],
      ['With a new error', '1', '0'],
      ['Went back to an earlier version', '0', '0'],
      ['No sync for 5 days', '0', '0'],
    ])
    await page.getByRole('img', { name: /^Test ratio between its two limits/ }).waitFor()
    await page.getByText('The test ratio is 0. It rises').waitFor()
    await page.getByText('There are too few results to decide. Failures: 1 of 2').waitFor()
  })

  /** What was counted in each of these hours. */
  const storeHours = (rollout: string, hours: readonly (readonly [string, Json])[]) =>
    withDatabase(administration.service, async ({ run }) => {
      for (const [at, counts] of hours)
        await run(
          'insert into rollout_hours (rollout_id, hour, counts) values (?, ?, ?)',
          ...[rollout, Date.parse(at) / 3_600_000, JSON.stringify(counts)],
        )
    })

  test('a rollout shows how it went, by hour and of more than two days by day, as charts and as a table', async () => {
    proves('rollout-page', 'rollout-hours')
    await createFleet(0)
    const { id } = await create('running')
    const { page, goTo, faults } = await administration.openLoggedIn(`rollouts/${id}`, {
      timezoneId: 'America/New_York',
    })
    await page.getByText('No devices have been offered the version yet.').waitFor()
    const none = { offered: 0, installed: 0, successes: 0, failures: 0, silent: 0, ratio: 0 }
    const some = { offered: 8, installed: 6, successes: 3, failures: 2, silent: 1, ratio: 1.234 }
    await storeHours(id, [
      ['2026-01-02T22:00:00Z', none],
      ['2026-01-03T00:00:00Z', some],
    ])
    await goTo(`rollouts/${id}`)
    const devices = page.getByRole('img', { name: /^Devices over time/ })
    await devices.waitFor()
    expect(await devices.getAttribute('aria-labelledby')).toBe(
      'devices-over-time-title devices-over-time-description',
    )
    const labels = devices.locator('text[data-local-hour]')
    // In the zone of the browser.
    expect((await labels.allTextContents()).map((text) => text.replace('\u202f', ' '))).toEqual([
      ...['Jan 2, 5 PM EST', 'Jan 2, 7 PM EST'],
    ])
    await page.getByRole('img', { name: /^Test ratio over time.*the test ratio is 1\.2/ }).waitFor()
    const readTable = async () => {
      await page.getByText('Show as table').press('Enter')
      const table = page.getByRole('region', { name: 'Progress over time' })
      const rows = await table.getByRole('row').allInnerTexts()
      return rows.map((row) => row.replaceAll('\u202f', ' ').split('\t'))
    }
    const head = ['Offered', 'Installed', 'Working', 'Failed', 'No sync for 5 days', 'Test ratio']
    expect(await readTable()).toEqual([
      ['Hour', ...head],
      ['Jan 2, 2026, 7:00 PM EST', ...['8', '6', '3', '2', '1', '1.2']],
      ['Jan 2, 2026, 6:00 PM EST', ...['0', '0', '0', '0', '0', '0']],
      ['Jan 2, 2026, 5:00 PM EST', ...['0', '0', '0', '0', '0', '0']],
    ])
    await storeHours(id, [['2026-01-04T23:00:00Z', { ...some, offered: 9 }]])
    await goTo(`rollouts/${id}`)
    expect(await readTable()).toEqual([
      ['Day', ...head],
      ['Jan 4, 2026', ...['9', '6', '3', '2', '1', '1.2']],
      ['Jan 3, 2026', ...['8', '6', '3', '2', '1', '1.2']],
      ['Jan 2, 2026', ...['0', '0', '0', '0', '0', '0']],
    ])
    expect(faults).toEqual([])
  })

  test('a viewer sees rollouts, and no button', async () => {
    await createFleet(0)
    const { id } = await create('running')
    const { service } = administration
    const viewer = await openPageSession(service, await addAccount(service, 'viewer'))
    for (const to of ['rollouts', `rollouts/${id}`, '']) {
      const { status, text } = await viewer.get(to)
      expect([to, status]).toEqual([to, 200])
      expect(text).toContain(after)
      expect(text).not.toMatch(/\/halt"|\/pause"|rollouts\/new/)
    }
    expect((await viewer.get('rollouts/new')).status).toBe(403)
  })

  test.each(['light', 'dark'] as const)(
    'the pages have no fault that axe finds, in %s, and fit a narrow window',
    async (colorScheme) => {
      await createFleet(3)
      await register('1.2.0')
      await register('1.3.0')
      const draft = await create('draft', { version: '1.2.0' })
      const running = await create('running')
      await storeEvidence(running.id)
      const counts = { offered: 2, installed: 2, successes: 1, failures: 1, silent: 0, ratio: 2 }
      await storeHours(running.id, [
        ['2026-01-02T22:00:00Z', { ...counts, offered: 0 }],
        ['2026-01-03T10:00:00Z', counts],
      ])
      const viewport = { width: 320, height: 640 }
      const { page, faults, goTo } = await administration.openLoggedIn('', {
        colorScheme,
        viewport,
      })
      for (const to of [
        'rollouts',
        'rollouts/new',
        `rollouts/${draft.id}`,
        `rollouts/${draft.id}/edit`,
        `rollouts/${draft.id}/start`,
        `rollouts/${running.id}`,
        `rollouts/${running.id}/resume`,
        `versions/${after}`,
        '',
      ]) {
        await goTo(to)
        await expectAccessible(page, colorScheme)
        await expectNoSidewaysScroll(page)
      }
      expect(faults).toEqual([])
    },
  )
})
