/** The same page from the internet: the browser asks the user first, and both answers lead somewhere. */
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type BrowserSession,
  findAccessibilityFaults,
  giveConsent,
  type OpenedPage,
  openBrowserSession,
} from './browser-session.ts'
import {
  createExampleEnvironment,
  type RunningExample,
  runTrust,
  startExample,
} from './example-start.ts'
import { host, type PublicWebServer, startPublicWebServer } from './public-web-server.ts'

let user: BrowserSession
let front: PublicWebServer
let example: RunningExample
let address: string
let opened: OpenedPage
beforeAll(async () => {
  user = await openBrowserSession()
  front = await startPublicWebServer(join(user.folder, 'home'))
  address = `https://${host}:${front.port}`
  const settings = {
    ...user.display.settings,
    EXAMPLE_URL: address,
    EXAMPLE_DEVELOPER: 'no',
  }
  const environment = await createExampleEnvironment(user.folder, settings)
  example = await startExample(environment)
  front.forwardTo(Number(environment['EXAMPLE_PORT']))
  runTrust(environment)
  opened = await user.open(example.url, { flags: front.flags })
})
afterAll(async () => {
  await opened?.close()
  await example?.stop()
  await front?.stop()
  await user?.close()
})

const heading = (name: string) => opened.page.getByRole('heading', { level: 2, name })
const press = (name: string) => opened.page.getByRole('button', { name }).press('Enter')

/** What the user answers, or has answered before. */
async function decide(setting: 'granted' | 'denied'): Promise<void> {
  const session = await opened.page.context().newCDPSession(opened.page)
  const permission = { name: 'loopback-network' }
  await session.send('Browser.setPermission', { permission, setting, origin: address })
}

test('the page explains the browser’s prompt before the browser shows it', async () => {
  await heading('Your browser will ask you first').waitFor()
  expect(await opened.page.getByRole('link', { name: 'Download Cardwire first' }).count()).toBe(1)
  expect(await findAccessibilityFaults(opened.page)).toEqual([])
})

test('the page says where to change a permission that was denied', async () => {
  await decide('denied')
  await press('Connect')
  await heading('Your browser is blocking access to Cardwire').waitFor()
  expect(
    await opened.page.getByText('Allow it in your browser’s settings for this site').count(),
  ).toBe(1)
  expect(await findAccessibilityFaults(opened.page)).toEqual([])
})

test('the page shows the readers after the permission was granted', async () => {
  await decide('granted')
  await press('Try again')
  await heading('Allow this site to use your card reader?').waitFor()
  const { page } = opened
  expect(await page.getByText(`cardwire consents revoke ${address}`).isVisible()).toBe(true)
  expect(await readTextForUsers(page)).not.toMatch(/npm|checkout/)
  await giveConsent(page)
  await press('Insert the virtual card')
  await page.getByText('NIST demo PIV card').first().waitFor()
})

/** The text of all screens, without the hints for developers, which are hidden. */
async function readTextForUsers(page: Page): Promise<string> {
  const hints = page.locator('[data-for="developer"]')
  expect(await hints.count()).toBeGreaterThan(0)
  await hints.evaluateAll((all) => {
    if (all.some((hint) => !hint.hidden)) throw new Error('A hint for developers is not hidden')
    for (const hint of all) hint.remove()
  })
  return (await page.locator('body').textContent()) ?? ''
}
