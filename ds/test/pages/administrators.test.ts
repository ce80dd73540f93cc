/** Accounts, their roles and the signing keys in the admin console, in Chromium. */
import { existsSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { administrator } from '../../../test/bed/administrator.ts'
import { headlessProgram } from '../../../test/bed/chromium.ts'
import { proves } from '../../../test/bed/proves.ts'
import type { Json } from '../../../test/bed/service-request.ts'
import { addAccount, logIn as logInProgram, nextName } from '../harness/accounts.ts'
import { createVersion } from '../harness/arrange.ts'
import { createDevice } from '../harness/device.ts'
import { withDatabase } from '../harness/stored-data.ts'
import {
  type Administration,
  expectAccessible,
  expectNoSidewaysScroll,
  logIn,
  startAdministration,
} from './administration.ts'

describe.runIf(existsSync(headlessProgram))('accounts and signing keys', () => {
  let administration: Administration
  beforeAll(async () => {
    administration = await startAdministration()
  })
  afterAll(() => administration?.stop())

  const add = async (role: 'viewer' | 'publisher' | 'administrator' = 'viewer') =>
    addAccount(administration.service, role)
  const status = async (name: string, password: string) =>
    (await logInProgram(administration.service, name, password)).status
  const findKeys = async (): Promise<Json[]> =>
    administration.service.admin('GET', '/v3/signing-keys')
  const confirm = async (page: Page, name: string) => {
    await page.getByLabel(/to confirm/).fill(name)
    await page.keyboard.press('Enter')
  }

  test.each([true, false])(
    'an account is added with a role by keyboard, and its password is shown once, with scripts: %s',
    async (javaScriptEnabled) => {
      proves('accounts-in-browser')
      const { page, faults, goTo } = await administration.openLoggedIn('administrators', {
        javaScriptEnabled,
      })
      const name = nextName()
      await page.getByLabel('User name').focus()
      await page.keyboard.type(name)
      await page.keyboard.press('Tab')
      await page.keyboard.type('publisher')
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: `Password for ${name}` }).waitFor()
      const password = (await page.locator('#password').textContent()) ?? ''
      expect(await status(name, password)).toBe(200)
      await page.getByRole('link', { name: 'I’ve saved the password' }).press('Enter')
      await page.getByRole('heading', { level: 1, name }).waitFor()
      expect(await page.content()).not.toContain(password)
      await goTo('administrators')
      const row = page
        .getByRole('row')
        .filter({ has: page.getByRole('link', { name, exact: true }) })
      expect((await row.getByRole('cell').allTextContents()).slice(0, 3)).toEqual([
        'Publisher',
        'Off',
        '1',
      ])
      expect(faults).toEqual([])
    },
  )

  test('a name that is taken is said beside its field', async () => {
    const { page } = await administration.openLoggedIn('administrators')
    await page.getByLabel('User name').fill(administrator.name)
    await page.keyboard.press('Enter')
    await page
      .locator('#name-error')
      .getByText('An account with this name already exists.')
      .waitFor()
    await expectAccessible(page)
  })

  test('role, password, second factor and sessions of another account are changed, then it is removed', async () => {
    proves('accounts-in-browser')
    const { service } = administration
    const { name, password, token } = await add()
    const { page } = await administration.openLoggedIn(`administrators/${name}`)
    const list = () => service.request('PUT', '/v3/versions', { token, body: {} })

    await page.getByLabel('Role').selectOption('publisher')
    await page.getByRole('button', { name: 'Change role' }).press('Enter')
    await page.getByRole('definition').filter({ hasText: 'Publisher' }).waitFor()
    expect((await list()).status).toBe(422)

    await page.getByRole('button', { name: 'End session' }).press('Enter')
    await page.getByText('No open sessions.').waitFor()
    expect((await list()).status).toBe(401)

    await page.getByRole('link', { name: 'Set new password' }).press('Enter')
    await confirm(page, 'somebody else')
    await page.getByText(`The name doesn’t match “${name}”`).waitFor()
    expect(await status(name, password)).toBe(200)
    await confirm(page, name)
    const next = (await page.locator('#password').textContent()) ?? ''
    expect([await status(name, password), await status(name, next)]).toEqual([400, 200])

    await withDatabase(service, ({ run }) =>
      run(
        `update administrators set totp_secret = 'wrapped', totp_step = 1 where name = '${name}'`,
      ),
    )
    await page.getByRole('link', { name: 'I’ve saved the password' }).press('Enter')
    await page.getByRole('link', { name: 'Reset two-factor authentication' }).press('Enter')
    await page.getByText('1 open session ends immediately.').waitFor()
    await confirm(page, name)
    await page.getByRole('definition').filter({ hasText: 'Off' }).waitFor()
    expect(await status(name, next)).toBe(200)

    await page.getByRole('link', { name: 'Remove account' }).press('Enter')
    await confirm(page, name)
    await page.waitForURL(`${service.url}/admin/administrators`)
    expect(await status(name, next)).toBe(400)
  })

  test('the own account has no form that would take rights from it', async () => {
    proves('accounts-in-browser')
    const { page, faults } = await administration.openLoggedIn(
      `administrators/${administrator.name}`,
    )
    await page.getByText('This is your own account').waitFor()
    expect(await page.getByLabel('Role').count()).toBe(0)
    expect(await page.getByRole('link', { name: 'Remove account' }).count()).toBe(0)
    expect(faults).toEqual([])
  })

  test('who ends the own session is asked to log in again', async () => {
    const { name, password } = await add('administrator')
    const { page, goTo } = await administration.open()
    await goTo('login')
    await logIn(page, { name, password })
    await page.getByRole('button', { name: 'Sign out' }).waitFor()
    await goTo(`administrators/${name}`)
    await page.getByRole('button', { name: 'End all 2 sessions' }).press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
  })

  test('a key is rotated, then revoked, each after its name was typed', async () => {
    proves('signing-keys-in-browser')
    const { service } = administration
    await service.applicationToken()
    const before = (await findKeys()).filter(({ use }) => use === 'application')
    const { page } = await administration.openLoggedIn('signing-keys')
    await page.getByRole('link', { name: 'Rotate application key' }).press('Enter')
    await page.getByText('1 application that requested tokens').waitFor()
    await confirm(page, 'application')
    await page.waitForURL(`${service.url}/admin/signing-keys`)
    const keys = (await findKeys()).filter(({ use }) => use === 'application')
    expect(keys).toHaveLength(before.length + 1)

    const { id } = keys.find(({ state }) => state === 'signing')
    const short = id.slice(0, 8)
    await page.getByRole('link', { name: `Revoke key ${short}` }).press('Enter')
    await page.getByText('Affects 1 application that').waitFor()
    await confirm(page, 'another')
    await page.getByText(`The name doesn’t match “${short}”`).waitFor()
    await confirm(page, short)
    await page.waitForURL(`${service.url}/admin/signing-keys`)
    expect((await findKeys()).map((key) => key.id)).not.toContain(id)
  })

  test('the page that revokes a key of replies says which devices would not trust the next one', async () => {
    proves('signing-keys-in-browser')
    const replyKeys = (await findKeys()).filter(({ use }) => use === 'reply')
    const find = (wanted: string) => replyKeys.find(({ state }) => state === wanted).id
    const { page, goTo } = await administration.openLoggedIn(
      `signing-keys/${find('signing')}/withdraw`,
    )
    await page.getByText('All devices have synced since then and trust it.').waitFor()
    await goTo(`signing-keys/${find('standby')}/withdraw`)
    await page.getByText('Don’t revoke the key in use before then').waitFor()
    await expectAccessible(page)
  })

  test('a key whose reach has grown since the page was shown is not revoked', async () => {
    proves('signing-keys-in-browser')
    const { service } = administration
    const { id } = (await findKeys()).find(
      ({ use, state }) => use === 'reply' && state === 'signing',
    )
    const version = await createVersion(service, await service.login())
    const { page } = await administration.openLoggedIn(`signing-keys/${id}/withdraw`)
    await createDevice(service, version)
    await confirm(page, id.slice(0, 8))
    await page.getByRole('alert').getByText('would now affect').waitFor()
    expect((await findKeys()).map((key) => key.id)).toContain(id)
  })

  test.each(['viewer', 'publisher'] as const)(
    'a %s sees the role, the keys, and no form for them',
    async (role) => {
      proves('role-in-browser')
      const { name, password } = await add(role)
      const { page, goTo } = await administration.open()
      await goTo('login')
      await logIn(page, { name, password })
      await page.locator('.account').getByText(`${role}:`).waitFor()
      expect(await page.getByRole('link', { name: 'Administrators' }).count()).toBe(0)
      expect(await page.getByRole('link', { name: 'API clients' }).count()).toBe(0)
      await goTo('signing-keys')
      await page.getByRole('heading', { level: 1, name: 'Signing keys' }).waitFor()
      expect(await page.getByRole('link', { name: /Rotate|Revoke/ }).count()).toBe(0)
      await expectAccessible(page)
      for (const to of ['administrators', 'api-clients']) {
        await goTo(to)
        await page.getByText(`it needs the role "administrator", the token has "${role}"`).waitFor()
        await expectAccessible(page)
      }
    },
  )

  test.each(['light', 'dark'] as const)(
    'the pages have no fault that axe finds, in %s, and fit a narrow window',
    async (colorScheme) => {
      const { name } = await add()
      await withDatabase(administration.service, ({ run }) =>
        run(
          `update administrators set totp_secret = 'wrapped', totp_step = 1 where name = '${name}'`,
        ),
      )
      const { id } = (await findKeys())[0]
      const viewport = { width: 320, height: 640 }
      const { page, faults, goTo } = await administration.openLoggedIn('', {
        colorScheme,
        viewport,
      })
      for (const to of [
        'administrators',
        `administrators/${administrator.name}`,
        `administrators/${name}`,
        `administrators/${name}/password`,
        `administrators/${name}/second-factor`,
        `administrators/${name}/remove`,
        'signing-keys',
        'signing-keys/rotate/reply',
        `signing-keys/${id}/withdraw`,
      ]) {
        await goTo(to)
        await expectAccessible(page, colorScheme)
        await expectNoSidewaysScroll(page)
      }
      expect(faults).toEqual([])
    },
  )
})
