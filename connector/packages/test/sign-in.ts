/** A user at the page of the example, in Chromium: `URL` opens it. Says on standard output what the page says at last. */
import { homedir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { chromium } from 'playwright-core'
import { giveConsent } from '../../../client/example/test/browser-session.ts'
import { createPinWindow } from '../../../client/example/test/pin-window.ts'
import { chromiumFlags, chromiumProgram } from '../../../test/bed/chromium.ts'
import { virtualCardPin } from '../../src/sandbox/virtual-card/stored-card.ts'

const [url = ''] = process.argv.slice(2)
const display = { DISPLAY: process.env['DISPLAY'] ?? '' }
const pinWindow = createPinWindow({ settings: display })
const context = await chromium.launchPersistentContext(join(homedir(), 'profile'), {
  executablePath: chromiumProgram,
  headless: false,
  args: [...chromiumFlags],
  env: { ...process.env, ...display },
})
context.setDefaultTimeout(30_000)
const page = await context.newPage()
try {
  await page.goto(url)
  await giveConsent(page)
  await page.locator('#card-hint').filter({ hasText: 'this page never sees it' }).waitFor()
  await page.getByRole('button', { name: 'Sign in with the card', exact: true }).press('Enter')
  await pinWindow.enter(virtualCardPin)
  await page.getByRole('heading', { level: 3, name: 'Signed in as Virtual Person' }).waitFor()
  process.stdout.write((await page.locator('#card-title').textContent()) ?? '')
} catch (error) {
  process.stderr.write(`${error}\n${await page.locator('body').textContent()}\n`)
  await page.screenshot({ path: join(homedir(), 'page.png') })
  process.exitCode = 1
} finally {
  await context.close()
}
