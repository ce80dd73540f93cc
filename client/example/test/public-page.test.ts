/** The same page from the internet: the browser asks the person first, and both answers lead somewhere. */
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  createExampleEnvironment,
  type RunningExample,
  runTrust,
  startExample,
} from './example-start.ts'
import {
  type BrowserSession,
  findAccessibilityFaults,
  type OpenedPage,
  openBrowserSession,
} from './person.ts'
import { host, type PublicWebServer, startPublicWebServer } from './public-web-server.ts'

let person: BrowserSession
let front: PublicWebServer
let example: RunningExample
let address: string
let opened: OpenedPage
beforeAll(async () => {
  person = await openBrowserSession()
  front = await startPublicWebServer(join(person.folder, 'home'))
  address = `https://${host}:${front.port}`
  const settings = { ...person.display.settings, EXAMPLE_URL: address }
  const environment = await createExampleEnvironment(person.folder, settings)
  example = await startExample(environment)
  front.forwardTo(Number(environment['EXAMPLE_PORT']))
  runTrust(environment)
  opened = await person.open(example.url, { flags: front.flags })
})
afterAll(async () => {
  await opened?.close()
  await example?.stop()
  await front?.stop()
  await person?.close()
})

const heading = (name: string) => opened.page.getByRole('heading', { level: 2, name })
const press = (name: string) => opened.page.getByRole('button', { name }).press('Enter')

/** What the person answers, or has answered before. */
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
  await heading('Your browser keeps this page from Cardwire').waitFor()
  expect(await opened.page.getByText('allow it in the settings of the site').count()).toBe(1)
  expect(await findAccessibilityFaults(opened.page)).toEqual([])
})

test('the page shows the readers after the permission was granted', async () => {
  await decide('granted')
  await press('Try again')
  await heading('Let this page use your card reader?').waitFor()
  await press('Copy the code and go on')
  await heading('Your card readers').waitFor()
  await press('Insert the virtual card')
  await opened.page.getByText('Belgium Electronic ID card').first().waitFor()
})
