/** API clients in the admin console, in Chromium: their credentials, and the CI systems that they trust. */
import { generateKeyPairSync } from 'node:crypto'
import { existsSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { headlessProgram } from '../../../test/bed/chromium.ts'
import { proves } from '../../../test/bed/proves.ts'
import type { Json } from '../../../test/bed/service-request.ts'
import { nextAddress } from '../harness/arrange.ts'
import {
  type Administration,
  expectAccessible,
  expectNoSidewaysScroll,
  startAdministration,
} from './administration.ts'

describe.runIf(existsSync(headlessProgram))('API clients', () => {
  let administration: Administration
  beforeAll(async () => {
    administration = await startAdministration()
  })
  afterAll(() => administration?.stop())

  let count = 0
  const addClient = async (changes: object = {}): Promise<string> => {
    count += 1
    const id = `program-${count}`
    await administration.service.admin('POST', '/v3/api-clients', {
      ...{ id, role: 'viewer', ...changes },
    })
    return id
  }
  const read = (id: string): Promise<Json> =>
    administration.service.admin('GET', `/v3/api-clients/${id}`)
  const ask = async (client_id: string, client_secret: string) => {
    const form = { grant_type: 'client_credentials', client_id, client_secret }
    const from = nextAddress()
    const { request } = administration.service
    const { status, json } = await request('POST', '/v3/oauth/token', { form, from })
    return { status, token: json.access_token }
  }
  const list = async (token: string) =>
    (await administration.service.request('GET', '/v3/versions', { token })).status
  const confirm = async (page: Page, name: string) => {
    await page.getByLabel(/to confirm/).fill(name)
    await page.keyboard.press('Enter')
  }
  const press = (page: Page, role: 'link' | 'button', name: string) =>
    page.getByRole(role, { name, exact: true }).press('Enter')

  test.each([true, false])(
    'a client is added, its secret is shown once, rotated with an overlap and revoked, with scripts: %s',
    async (javaScriptEnabled) => {
      proves('api-clients-in-browser')
      const { page, faults, goTo } = await administration.openLoggedIn('api-clients', {
        javaScriptEnabled,
      })
      const id = `pipeline-${javaScriptEnabled}`
      await page.getByLabel('Client ID').fill(id)
      await page.getByLabel('Role').selectOption('publisher')
      await page.getByLabel('Description').fill('Publishes versions')
      await press(page, 'button', 'Add API client')
      await page.getByRole('status').getByText('API client added.').waitFor()
      await page.getByText('No credentials yet').waitFor()

      await press(page, 'link', 'Add secret')
      await page.getByLabel('expires after').selectOption('90')
      await press(page, 'button', 'Add secret')
      const first = (await page.locator('#client-secret').textContent()) ?? ''
      expect(first).toMatch(/^cwcs_/)
      const { token } = await ask(id, first)
      expect(await list(token)).toBe(200)
      await press(page, 'link', 'I’ve saved the secret')
      await page.getByRole('heading', { level: 1, name: id }).waitFor()
      expect(await page.content()).not.toContain(first)
      const [stored] = (await read(id)).credentials
      expect(Date.parse(stored.expiresAt) - Date.parse(stored.createdAt)).toBe(90 * 86_400_000)

      await press(page, 'link', 'Rotate secret')
      await page.getByLabel('Older secrets').selectOption('3600')
      await press(page, 'button', 'Rotate secret')
      const second = (await page.locator('#client-secret').textContent()) ?? ''
      expect([(await ask(id, first)).status, (await ask(id, second)).status]).toEqual([200, 200])
      const [retired, added] = (await read(id)).credentials
      expect(Date.parse(retired.expiresAt) - Date.parse(added.createdAt)).toBe(3_600_000)

      await press(page, 'link', 'I’ve saved the secret')
      await page
        .getByRole('link', { name: /^Revoke Secret/ })
        .first()
        .press('Enter')
      await page.getByText('stop working immediately').waitFor()
      await confirm(page, 'another')
      await page.getByText(`The name doesn’t match “${id}”`).waitFor()
      await confirm(page, id)
      await page.getByRole('status').getByText('Credential revoked.').waitFor()
      expect([(await ask(id, first)).status, (await ask(id, second)).status]).toEqual([401, 200])
      expect(await list(token)).toBe(401)

      await goTo('api-clients')
      const row = page.getByRole('row').filter({ has: page.getByRole('link', { name: id }) })
      expect((await row.getByRole('cell').allTextContents()).slice(0, 3)).toEqual([
        ...['Publisher', 'Publishes versions', '1 secret'],
      ])
      // The page that said that the ID was wrong.
      expect(faults).toEqual([expect.stringContaining('status of 422')])
    },
  )

  test('jobs of GitHub Actions are trusted after their claims were shown', async () => {
    proves('api-clients-in-browser')
    const id = await addClient({ role: 'publisher' })
    const { page } = await administration.openLoggedIn(`api-clients/${id}`)
    await press(page, 'link', 'Trust GitHub Actions')
    await page.getByLabel('Owner', { exact: true }).fill('example')
    await page.getByLabel('Repository', { exact: true }).fill('example/cards')
    await page.getByLabel('Which jobs').selectOption('tags')
    await press(page, 'button', 'Review claims')
    await page.locator('#repository-error').getByText('without the owner').waitFor()
    await expectAccessible(page)
    await page.getByLabel('Repository', { exact: true }).fill('cards')
    await press(page, 'button', 'Review claims')
    const claims = [
      ...['iss', 'https://token.actions.githubusercontent.com'],
      ...['sub', 'repo:example/cards:ref:refs/tags/*'],
      ...['aud', administration.service.url],
    ]
    expect(await page.locator('main dl').locator('dt, dd').allTextContents()).toEqual(claims)
    await page.getByText(`access as ${id} with the role Publisher`).waitFor()
    await page.getByText('At the end, it can have slashes.').waitFor()
    await expectAccessible(page)
    expect((await read(id)).credentials).toEqual([])

    await press(page, 'button', 'Keep editing')
    expect(await page.getByLabel('Which jobs').inputValue()).toBe('tags')
    await page.getByLabel('Owner ID').fill('123456')
    await page.getByLabel('Repository ID').fill('456789')
    await press(page, 'button', 'Review claims')
    await press(page, 'button', 'Trust these tokens')
    await page.getByRole('status').getByText('Credential added.').waitFor()
    expect((await read(id)).credentials).toMatchObject([
      {
        kind: 'federated',
        issuer: 'https://token.actions.githubusercontent.com',
        subject: 'repo:example@123456/cards@456789:ref:refs/tags/*',
      },
    ])
    await page.getByRole('cell').getByText('repo:example@123456/cards@456789').waitFor()
  })

  test('jobs of GitLab, and tokens of another issuer, are trusted', async () => {
    proves('api-clients-in-browser')
    const id = await addClient()
    const { page, goTo } = await administration.openLoggedIn(`api-clients/${id}/trust/gitlab`)
    await page.getByLabel('GitLab URL').fill('https://git.example/')
    await page.getByLabel('Project path').fill('example/cards')
    await page.getByLabel('Branch', { exact: true }).fill('main')
    await press(page, 'button', 'Review claims')
    await press(page, 'button', 'Trust these tokens')
    await page.getByRole('status').getByText('Credential added.').waitFor()

    await goTo(`api-clients/${id}/trust/other`)
    await page.getByLabel('Issuer (iss)').fill('https://ci.example')
    await page.getByLabel('Subject (sub)').fill('team:*:cards')
    await page.getByLabel('Audience (aud)').fill('cards')
    await page.getByLabel('More claims').fill('environment')
    await press(page, 'button', 'Review claims')
    await page.locator('#claims-error').getByText('one claim per line').waitFor()
    await page.getByLabel('More claims').fill('environment=production')
    await press(page, 'button', 'Review claims')
    await page.locator('#subject-error').getByText('Expected * only as a whole part').waitFor()
    await page.getByLabel('Subject (sub)').fill('team:one:*')
    await press(page, 'button', 'Review claims')
    await press(page, 'button', 'Trust these tokens')
    await page.getByRole('status').getByText('Credential added.').waitFor()
    expect((await read(id)).credentials).toMatchObject([
      {
        issuer: 'https://git.example',
        subject: 'project_path:example/cards:ref_type:branch:ref:main',
        claims: { ref_protected: 'true' },
      },
      {
        ...{ issuer: 'https://ci.example', subject: 'team:one:*', audience: 'cards' },
        claims: { environment: 'production' },
      },
    ])
  })

  test('a public key is added, and a private one refused', async () => {
    proves('api-clients-in-browser')
    const id = await addClient()
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const { page } = await administration.openLoggedIn(`api-clients/${id}/key`)
    const send = async (text: string) => {
      await page.getByLabel('Public key (JWK)').fill(text)
      await press(page, 'button', 'Add public key')
    }
    await send('-----BEGIN PUBLIC KEY-----')
    await page.locator('#jwk-error').getByText('isn’t a JSON object').waitFor()
    await send(JSON.stringify(privateKey.export({ format: 'jwk' })))
    await page.locator('#jwk-error').getByText('has the private part').waitFor()
    await expectAccessible(page)
    await send(JSON.stringify(publicKey.export({ format: 'jwk' })))
    await page.getByRole('status').getByText('Credential added.').waitFor()
    const [{ thumbprint }] = (await read(id)).credentials
    await page.getByRole('cell', { name: thumbprint }).waitFor()
  })

  test('role, description and expiry are changed, and the client is removed after its ID was typed', async () => {
    proves('api-clients-in-browser')
    const { service } = administration
    const id = await addClient({ expiresAt: '2099-03-04T05:06:07.000Z' })
    const { secret } = await service.admin('POST', `/v3/api-clients/${id}/credentials`, {
      kind: 'secret',
    })
    const { token } = await ask(id, secret)
    const { page } = await administration.openLoggedIn(`api-clients/${id}`)
    await page.getByLabel('Role').selectOption('publisher')
    await page.getByLabel('Description').fill('Scrapes metrics')
    await press(page, 'button', 'Save changes')
    await page.getByRole('status').getByText('API client changed.').waitFor()
    const shown = { role: 'publisher', description: 'Scrapes metrics' }
    expect(await read(id)).toMatchObject({ ...shown, expiresAt: '2099-03-04T05:06:07.000Z' })
    await page.getByLabel('Expires').fill('2020-01-02')
    await press(page, 'button', 'Save changes')
    await page.getByText('Expired', { exact: true }).waitFor()
    expect(await read(id)).toMatchObject({ ...shown, expiresAt: '2020-01-02T00:00:00.000Z' })
    expect(await list(token)).toBe(401)

    await press(page, 'link', 'changes to this API client')
    await page.getByRole('cell', { name: 'Changed an API client' }).first().waitFor()
    await page.goBack()
    await press(page, 'link', 'Remove API client')
    await confirm(page, id)
    await page.waitForURL(`${service.url}/admin/api-clients`)
    expect((await service.request('GET', `/v3/api-clients/${id}`, { token })).status).toBe(401)
    expect(await page.getByRole('link', { name: id }).count()).toBe(0)
  })

  test('an ID that is taken or wrong is said beside its field, and what was typed is kept', async () => {
    proves('api-clients-in-browser')
    const id = await addClient()
    const { page } = await administration.openLoggedIn('administrators')
    await page.getByRole('main').getByRole('link', { name: 'API clients' }).press('Enter')
    await page.getByLabel('Client ID').fill(id)
    await page.getByLabel('Description').fill('Again')
    await press(page, 'button', 'Add API client')
    await page.locator('#id-error').getByText('with this ID already exists').waitFor()
    expect(await page.getByLabel('Description').inputValue()).toBe('Again')
    await page.getByLabel('Client ID').fill('Has spaces')
    await press(page, 'button', 'Add API client')
    await page.locator('#id-error').getByText('Expected 1 to 64 lowercase letters').waitFor()
    await expectAccessible(page)
  })

  test.each(['light', 'dark'] as const)(
    'the pages have no fault that axe finds, in %s, and fit a narrow window',
    async (colorScheme) => {
      const id = await addClient({ description: 'x'.repeat(200) })
      const path = `/v3/api-clients/${id}/credentials`
      const trust = { issuer: 'https://ci.example', subject: `one:${'x'.repeat(200)}` }
      const body = { kind: 'federated', ...trust }
      const credential = await administration.service.admin('POST', path, body)
      const viewport = { width: 320, height: 640 }
      const { page, faults, goTo } = await administration.openLoggedIn('', {
        ...{ colorScheme, viewport },
      })
      for (const to of [
        ...['', `/${id}`, `/${id}/secret`, `/${id}/key`, `/${id}/remove`],
        ...[`/${id}/trust/github`, `/${id}/trust/gitlab`, `/${id}/trust/other`],
        `/${id}/credentials/${credential.id}/revoke`,
      ]) {
        await goTo(`api-clients${to}`)
        await expectAccessible(page, colorScheme)
        await expectNoSidewaysScroll(page)
      }
      expect(faults).toEqual([])
    },
  )
})
