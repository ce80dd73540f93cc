/** A user signs in and signs a text with the virtual card: the page, the back end, the connector, and a real window for the PIN. */
import { execFile } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
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
  runConsents,
  runTrust,
  startExample,
} from './example-start.ts'
import { createPinWindow, type PinWindow } from './pin-window.ts'

const pin = '123456'

let user: BrowserSession
let example: RunningExample
let opened: OpenedPage
let page: Page
let pinWindow: PinWindow
beforeAll(async () => {
  user = await openBrowserSession()
  pinWindow = createPinWindow(user.display)
  const environment = await createExampleEnvironment(user.folder, { ...user.display.settings })
  example = await startExample(environment)
  runTrust(environment)
  opened = await user.open(example.url)
  ;({ page } = opened)
  await giveConsent(page)
  await button('Insert the virtual card').waitFor()
})
afterAll(async () => {
  await opened?.close()
  await example?.stop()
  await user?.close()
})

const button = (name: string) => page.getByRole('button', { name, exact: true })
const heading = (name: string) => page.getByRole('heading', { level: 3, name })
const message = () => page.locator('#card-message')
const hint = () => page.locator('#card-hint')
const checks = (list: 'user' | 'signature') => page.locator(`#${list}-checks li`).allTextContents()
const waitForText = (text: string) => message().filter({ hasText: text }).waitFor()

test('without a card the page says to insert one, and the button says it to a screen reader as well', async () => {
  expect(await hint().textContent()).toBe('Insert a card first.')
  expect(await button('Sign in with the card').getAttribute('aria-disabled')).toBe('true')
  await button('Sign in with the card').press('Enter')
  await waitForText('Insert a card first.')
  expect(await message().getAttribute('role')).toBe('status')
})

test('the page and the terminal say what the PIN of the virtual card is', async () => {
  expect(await page.getByText(`The PIN of the virtual card is ${pin}.`).isVisible()).toBe(true)
  expect(example.output()).toContain(`the PIN is ${pin}\n`)
})

test('a wrong PIN costs a try, and a page that stops closes the window', async () => {
  await button('Insert the virtual card').press('Enter')
  await hint().filter({ hasText: 'This page never sees it' }).waitFor()
  await button('Sign in with the card').press('Enter')
  await waitForText('in a separate window')
  expect(await findAccessibilityFaults(page)).toEqual([])
  await pinWindow.enter('000000')
  await waitForText('The PIN is wrong. 2 attempts left.')

  await button('Sign in with the card').press('Enter')
  await pinWindow.appear()
  await button('Cancel').press('Enter')
  await waitForText('Canceled.')
  await expect.poll(() => pinWindow.isOpen()).toBe(false)
})

test('a card that is taken out while the window is open closes it, and nobody is signed in', async () => {
  proves('example-card-states')
  await button('Sign in with the card').press('Enter')
  await pinWindow.appear()
  await button('Remove the virtual card').press('Enter')
  await waitForText('The card was removed')
  await expect.poll(() => pinWindow.isOpen()).toBe(false)
  expect(await heading('Sign in with the card').count()).toBe(1)
})

test('a user signs in, and the page shows what the back end has checked', async () => {
  proves('example-virtual-card')
  await button('Insert the virtual card').press('Enter')
  await hint().filter({ hasText: 'This page never sees it' }).waitFor()
  await button('Sign in with the card').press('Enter')
  await pinWindow.enter(pin)
  await heading('Signed in as Virtual Person').waitFor()
  expect(await page.evaluate('document.activeElement.id')).toBe('card-title')
  expect(await checks('user')).toEqual([
    `The card signed the origin of this page, ${example.origin}, and a number created for this visit.`,
    expect.stringMatching(/^The certificate was issued to Virtual Person, number [0-9a-f]{16}\.$/),
    expect.stringMatching(/^It was issued by “Authority of a virtual card [0-9a-f]{8}”, which/),
    'The certificate authority has not revoked it.',
  ])
  expect(await findAccessibilityFaults(page)).toEqual([])
})

test('a user signs a text, and the page shows what the back end has checked', async () => {
  proves('example-virtual-card')
  await page.getByLabel('Text to sign').fill('Two tickets, “please”: 2 × 8 €\nfor Saturday')
  await button('Sign the text').press('Enter')
  await pinWindow.enter(pin)
  await waitForText('The text is signed')
  expect(await page.locator('#signed-text').textContent()).toBe(
    'Two tickets, “please”: 2 × 8 €\nfor Saturday',
  )
  expect(await checks('signature')).toEqual([
    expect.stringMatching(/^The text is exactly what was signed.*SHA-256 [0-9a-f]{64}\)\.$/),
    expect.stringContaining('Virtual Person'),
    expect.stringContaining('Authority of a virtual card'),
    'The certificate authority has not revoked it.',
  ])
  expect(await findAccessibilityFaults(page)).toEqual([])
})

test('a user sees the order, signs it, and downloads it with the signature', async () => {
  proves('example-order')
  const load =
    "fetch(document.querySelector('#order').src).then(({ headers }) => headers.get('content-type'))"
  expect(await page.evaluate(load)).toBe('application/pdf')
  await button('Sign the order').press('Enter')
  await pinWindow.enter(pin)
  await waitForText('The order is signed')
  expect(await page.locator('#order-checks li').allTextContents()).toEqual([
    expect.stringMatching(/^The PDF has one signature, and nothing was added after it/),
    expect.stringContaining('Virtual Person'),
    expect.stringContaining('Authority of a virtual card'),
    'The certificate authority has not revoked it.',
  ])
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download the signed order' }).click()
  const file = join(user.folder, 'signed-order.pdf')
  await (await download).saveAs(file)
  const { stdout } = await promisify(execFile)('pdfsig', ['-nocert', file])
  expect(stdout).toMatch(/Signature Validation: Signature is Valid\./)
  expect(stdout).toMatch(/Total document signed/)
  expect(await findAccessibilityFaults(page)).toEqual([])
})

test('who is signed in stays so when the page is loaded again and the card is taken out, until they sign out', async () => {
  await page.reload()
  await heading('Signed in as Virtual Person').waitFor()
  await button('Remove the virtual card').press('Enter')
  await hint().filter({ hasText: 'Insert a card first.' }).waitFor()
  expect(await button('Sign the text').getAttribute('aria-disabled')).toBe('true')
  await button('Sign out').press('Enter')
  await heading('Sign in with the card').waitFor()
  expect(await message().textContent()).toBe('You are signed out.')
  await page.reload()
  await heading('Sign in with the card').waitFor()
})

test('the card that the documents insert from a terminal signs in and signs', async () => {
  proves('example-virtual-card')
  const [card, other] = ['docs/example.md', 'docs/virtual-reader.md'].map(
    (document) => /\$ echo ([0-9A-F]+) > /.exec(readFileSync(document, 'utf8'))?.[1],
  )
  expect(other).toBe(card)
  const file = join(user.folder, 'data/example/card/atr')
  writeFileSync(file, `${card}\n`)
  await hint().filter({ hasText: 'This page never sees it' }).waitFor()
  await button('Sign in with the card').press('Enter')
  await pinWindow.enter(pin)
  await heading('Signed in as Virtual Person').waitFor()
  await button('Sign the text').press('Enter')
  await pinWindow.enter(pin)
  await waitForText('The text is signed')
  await button('Sign out').press('Enter')
  await heading('Sign in with the card').waitFor()
  rmSync(file)
  await hint().filter({ hasText: 'Insert a card first.' }).waitFor()
})

test('after three wrong PINs the card is blocked until it is inserted again', async () => {
  proves('example-card-states')
  await button('Insert the virtual card').press('Enter')
  await hint().filter({ hasText: 'This page never sees it' }).waitFor()
  for (const [enter, left] of [
    [pinWindow.enter, '2 attempts left'],
    [pinWindow.enterAgain, '1 attempt left'],
    [pinWindow.enterAgain, 'Your PIN is blocked.'],
  ] as const) {
    await button('Sign in with the card').press('Enter')
    await enter('111111')
    await waitForText(left)
  }
  await button('Sign in with the card').press('Enter')
  await waitForText('Your PIN is blocked.')
  expect(await pinWindow.isOpen()).toBe(false)
  await button('Remove the virtual card').press('Enter')
  await button('Insert the virtual card').press('Enter')
  await hint().filter({ hasText: 'This page never sees it' }).waitFor()
  await button('Sign in with the card').press('Enter')
  await pinWindow.enter(pin)
  await heading('Signed in as Virtual Person').waitFor()
})

test('a card that no module knows is named, and asks for no PIN', async () => {
  proves('example-card-states')
  await button('Sign out').press('Enter')
  writeFileSync(join(user.folder, 'data/example/card/atr'), '3B951381018073FF01000B')
  await hint().filter({ hasText: 'doesn’t support this card' }).waitFor()
  await button('Sign in with the card').press('Enter')
  await waitForText('doesn’t support this card')
  expect(await pinWindow.isOpen()).toBe(false)
  expect(await findAccessibilityFaults(page)).toEqual([])
  await button('Remove the virtual card').press('Enter')
  await button('Insert the virtual card').press('Enter')
  await hint().filter({ hasText: 'This page never sees it' }).waitFor()
})

test('a consent that is revoked while the window is open closes it, and the page asks for consent', async () => {
  await button('Sign in with the card').press('Enter')
  await pinWindow.appear()
  runConsents(example.environment, 'revoke', '--all')
  await page.getByRole('heading', { name: 'no longer has access' }).waitFor()
  await expect.poll(() => pinWindow.isOpen()).toBe(false)
  // Browsers name each refused request in the console.
  expect(opened.faults.filter((fault) => !fault.startsWith('Failed to load resource'))).toEqual([])
})

test('a user who closes the window signs nothing, and is not asked again at once', async () => {
  proves('example-card-states')
  await giveConsent(page)
  for (const closes of [true, false]) {
    await button('Sign in with the card').press('Enter')
    if (closes) await pinWindow.cancel()
    await waitForText('You canceled the PIN entry.')
    expect(await pinWindow.isOpen()).toBe(false)
  }
})
