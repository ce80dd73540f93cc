/** The local page where address and key of the service are typed in, with a real service; and where others have set them. */
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { homePaths } from '../../../../test/bed/connector.ts'
import {
  type DistributionService,
  startDistributionService,
} from '../../../../test/bed/distribution-service.ts'
import { findFreePort } from '../../../../test/bed/free-port.ts'
import { proves } from '../../../../test/bed/proves.ts'
import { version } from '../managed.ts'
import { createUser, findAccessibilityFaults, openInChromium, type UserWithPage } from './user.ts'

const otherKey = '123e4567-e89b-42d3-a456-426614174000'

let service: DistributionService
let key: string
beforeAll(async () => {
  service = await startDistributionService()
  key = (await service.registerVersion(version)).installationApiKey
})
afterAll(() => service?.stop())

let user: UserWithPage
beforeEach(async () => {
  user = await createUser()
  onTestFinished(() => user.close())
})

async function visit(): Promise<Page> {
  const { page, close } = await openInChromium((await user.open()).address)
  onTestFinished(close)
  await page.getByRole('heading', { name: 'Cardwire is running' }).waitFor()
  return page
}

const settingsFile = () => join(homePaths(user.home).config, 'cardwire.conf')

async function save(page: Page, address: string, installationKey: string): Promise<void> {
  await page.getByLabel('URL').fill(address)
  await page.getByLabel('Installation key').fill(installationKey)
  await page.getByRole('button', { name: 'Save' }).click()
}

test('a user types in address and key, and the connector registers with them', async () => {
  proves('open-service-settings')
  const page = await visit()
  await save(page, `${service.url}/`, key)
  await page.getByText(/This computer is registered as [0-9a-f-]{36}/).waitFor()
  await page.getByText(`URL: ${service.url}`).waitFor()

  expect((await stat(settingsFile())).mode & 0o777).toBe(0o600)
  expect(await readFile(settingsFile(), 'utf8')).toBe(
    `CARDWIRE_DS_URL=${service.url}/\nCARDWIRE_INSTALLATION_KEY=${key}\n`,
  )
  expect(await page.content()).not.toContain(key)
  const { out } = user.run('status', '--json')
  expect(JSON.parse(out)).toMatchObject({ state: 'running', sync: { service: service.url } })
})

test.each([
  ['nothing', '', '', 'Enter the URL.'],
  ['no address', 'ds', otherKey, 'Enter a URL that starts with https://'],
  ['half a key', 'https://ds.example', '123', 'has 36 characters'],
])(
  'what cannot be right is said beside its field: %s',
  async (_, address, installationKey, text) => {
    const page = await visit()
    await save(page, address, installationKey)
    await page.locator('.fault').filter({ hasText: text }).waitFor()
    const focused = page.locator('[aria-invalid="true"]').first()
    expect(await focused.getAttribute('id')).toBe(await page.evaluate('document.activeElement.id'))
    expect(await findAccessibilityFaults(page)).toEqual([])
    await expect(stat(settingsFile())).rejects.toThrow('ENOENT')
  },
)

test('an address where no service answers, and a key that it refuses, are not saved', async () => {
  proves('open-service-settings')
  const page = await visit()
  await save(page, `http://127.0.0.1:${await findFreePort()}`, key)
  await page.locator('.fault').filter({ hasText: 'No server responds' }).waitFor()
  await save(page, service.url, otherKey)
  await page.locator('.fault').filter({ hasText: 'doesn’t accept this key' }).waitFor()
  await expect(stat(settingsFile())).rejects.toThrow('ENOENT')
})

test('settings that cannot be used are said on the page, which opens all the same', async () => {
  await mkdir(homePaths(user.home).config, { recursive: true })
  await writeFile(settingsFile(), 'CARDWIRE_LOG_LEVEL=loud\n', { mode: 0o600 })
  const { page, close } = await openInChromium((await user.open()).address)
  onTestFinished(close)
  await page.locator('[data-code="settings-invalid"]').waitFor()
  await page.getByText('Details for your administrator').first().click()
  await page.getByText('expected debug, info, warning or error').waitFor()
})

test('what an administrator manages is shown, and cannot be changed', async () => {
  proves('open-service-settings')
  const etc = await mkdtemp(join(tmpdir(), 'cardwire-etc-'))
  onTestFinished(() => rm(etc, { recursive: true }))
  await mkdir(join(etc, 'cardwire'), { mode: 0o755 })
  await writeFile(join(etc, 'cardwire/managed.conf'), `CARDWIRE_DS_URL=${service.url}\n`)
  const mount = `mount -t overlay overlay -o lowerdir=${etc}:/etc /etc && exec "$@"`
  const managed = await createUser(
    {},
    { commandPrefix: ['unshare', '--mount', 'sh', '-c', mount, 'sh'] },
  )
  onTestFinished(() => managed.close())
  const { page, close } = await openInChromium((await managed.open()).address)
  onTestFinished(close)
  await page.getByText('Enter URL and key').click()
  const address = page.getByLabel('URL')
  expect(await address.inputValue()).toBe(service.url)
  expect(await address.isEditable()).toBe(false)
  expect(await page.locator('#address-note').textContent()).toBe(
    'Your administrator set this. You can’t change it here.',
  )
  // Whatever the page sends: the file gets the key alone.
  await page.getByLabel('Installation key').fill(key)
  await page.evaluate('document.getElementById("address").value = "https://evil.example"')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText(/This computer is registered as/).waitFor()
  const file = join(homePaths(managed.home).config, 'cardwire.conf')
  expect(await readFile(file, 'utf8')).toBe(`CARDWIRE_INSTALLATION_KEY=${key}\n`)
})
