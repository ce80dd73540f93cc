/** The example where the machine has no card service: the page says so, and asks nobody to plug in a reader. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import {
  type BrowserSession,
  findAccessibilityFaults,
  type OpenedPage,
  openBrowserSession,
} from './browser-session.ts'
import {
  createExampleEnvironment,
  type RunningExample,
  runTrust,
  startExample,
} from './example-start.ts'

let user: BrowserSession
let example: RunningExample
let opened: OpenedPage
beforeAll(async () => {
  user = await openBrowserSession()
  example = await startExample(
    await createExampleEnvironment(user.folder, {
      ...user.display.settings,
      EXAMPLE_READERS: 'machine',
      CARDWIRE_PCSC_LIBRARY: '/nowhere/libpcsclite.so.1',
    }),
  )
  runTrust(example.environment)
  opened = await user.open(example.url)
})
afterAll(async () => {
  await opened?.close()
  await example?.stop()
  await user?.close()
})

test('the page says that the card service is not running, and not that a reader is missing', async () => {
  proves('card-service-down-reported')
  const { page } = opened
  await page.getByRole('button', { name: 'Copy the code' }).click()
  await page.getByText('isn’t running, so Cardwire can’t find any card readers').waitFor()
  const reason = page.getByText('/nowhere/libpcsclite.so.1')
  expect(await reason.isVisible()).toBe(false)
  await page.getByText('Details for your administrator').click()
  expect(await reason.isVisible()).toBe(true)
  expect(await page.getByText('Plug one in').isVisible()).toBe(false)
  expect(await findAccessibilityFaults(page)).toEqual([])
})
