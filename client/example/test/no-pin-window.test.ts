/** A machine without a program that shows a window for the PIN: the page says what to install. */
import { mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
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

let user: BrowserSession
let example: RunningExample
let opened: OpenedPage
beforeAll(async () => {
  user = await openBrowserSession()
  const environment = await createExampleEnvironment(user.folder, { ...user.display.settings })
  // The clipboard is read by a program, too.
  const programs = join(user.folder, 'programs')
  await mkdir(programs)
  await symlink('/usr/bin/xclip', join(programs, 'xclip'))
  example = await startExample({ ...environment, PATH: programs })
  runTrust(environment)
  opened = await user.open(example.url)
})
afterAll(async () => {
  await opened?.close()
  await example?.stop()
  await user?.close()
})

test('the page says which program to install, and nobody is signed in', async () => {
  proves('example-card-states')
  const { page } = opened
  const press = (name: string) => page.getByRole('button', { name, exact: true }).press('Enter')
  await giveConsent(page)
  await press('Insert the virtual card')
  await page.getByText('This page never sees it').waitFor()
  await press('Sign in with the card')
  const message = page.locator('#card-message')
  await message.filter({ hasText: 'install pinentry-gnome3 or pinentry-qt' }).waitFor()
  expect(await page.getByRole('heading', { name: 'Sign in with the card' }).count()).toBe(1)
  expect(await findAccessibilityFaults(page)).toEqual([])
})
