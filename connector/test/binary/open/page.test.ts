/** The local page of the compiled binary in Chromium: a user finds out what is wrong, and takes back what was allowed. */
import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type Display, startDisplay } from '../../../../test/bed/display.ts'
import { proves } from '../../../../test/bed/proves.ts'
import { askAsShop, askForConsent, shop } from './page-of-shop.ts'
import {
  createUser,
  findAccessibilityFaults,
  openInChromium,
  type PageInChromium,
  type UserWithPage,
} from './user.ts'

const atr = '3B9813400AA503010101AD1311'

let display: Display
let user: UserWithPage
let card: string
beforeAll(async () => {
  display = await startDisplay()
  card = join(tmpdir(), `cardwire-card-${crypto.randomUUID()}`)
  user = await createUser({
    ...display.settings,
    CARDWIRE_VIRTUAL_READER: card,
    CARDWIRE_CORS: shop,
    CARDWIRE_JWT: 'off',
  })
})
afterAll(async () => {
  await user?.close()
  await display?.stop()
  await rm(card, { force: true })
})

const asShop = (path: string) => askAsShop(user.home, path)
const letShopIn = () => askForConsent(user.home, display)

async function visit(options = {}): Promise<PageInChromium> {
  const { address } = await user.open()
  const opened = await openInChromium(address, options)
  await opened.page.getByRole('heading', { name: /is running|läuft$/ }).waitFor()
  return opened
}

test('starts the connector where it does not run, and shows that it does', async () => {
  proves('open-page')
  expect(user.run('status').status).toBe(3)
  const { page, faults, close } = await visit()
  expect(user.run('status').status).toBe(0)
  await page.getByText('No problems found.').or(page.getByText('Something is wrong.')).waitFor()
  expect(await page.locator('#findings [data-code="trust-none"]').count()).toBe(1)
  expect(faults).toEqual([])
  await close()
})

test('a card that is inserted and removed appears and disappears on the page', async () => {
  proves('open-page')
  const { page, close } = await visit()
  onTestFinished(() => rm(card, { force: true }))
  await page.locator('#readers [data-card="no"]').waitFor()
  // The end of the first check is announced, too.
  await page.getByText('No problems found.').or(page.getByText('Something is wrong.')).waitFor()
  await writeFile(card, atr)
  await page
    .locator('#readers [data-card="yes"]')
    .getByText(/^Card: /)
    .waitFor()
  expect(await page.getByRole('status').textContent()).toMatch(/^Card inserted in /)
  await rm(card)
  await page.locator('#readers [data-card="no"]').waitFor()
  await close()
})

test('what is taken back on the page is taken back: the page of the shop gets no reader any more', async () => {
  proves('open-revokes')
  const { page, close } = await visit()
  await letShopIn()
  expect((await asShop('/v3/readers')).status).toBe(200)
  // By keyboard alone.
  await page.getByRole('button', { name: `Revoke access for ${shop}` }).focus()
  await page.keyboard.press('Enter')
  await page.getByText('You haven’t allowed any sites yet.').waitFor()
  expect(await page.getByRole('status').textContent()).toBe(`${shop} no longer has access.`)
  expect(await page.evaluate('document.activeElement.id')).toBe('consents-title')
  expect((await asShop('/v3/readers')).json.code).toBe('814501')
  await close()
})

test('the button makes the browsers of this user trust the connector', async () => {
  const { page, close } = await visit()
  await page.getByRole('button', { name: 'Make my browsers trust Cardwire' }).click()
  await page.getByText('No problems found. See the note below.').waitFor()
  expect(user.run('certs', 'status', 'localhost').status).toBe(0)
  await close()
})

describe.each(['light', 'dark'] as const)('in %s', (colorScheme) => {
  test('has no fault that axe finds, from 320 pixels on', async () => {
    proves('open-accessible')
    const { page, faults, close } = await visit({
      colorScheme,
      viewport: { width: 320, height: 640 },
    })
    await letShopIn()
    await page.getByText(shop).waitFor()
    await page.locator('#findings-summary').filter({ hasNotText: 'Checking' }).waitFor()
    expect(await findAccessibilityFaults(page)).toEqual([])
    const width = await page.evaluate('document.documentElement.scrollWidth')
    expect(width).toBe(320)
    expect(faults).toEqual([])
    await close()
  })
})

test.each([
  ['nl-BE', 'nl', 'Cardwire op deze computer'],
  ['fr-BE', 'fr', 'Cardwire sur cet ordinateur'],
  ['de-AT', 'de', 'Cardwire auf diesem Computer'],
  ['pt-PT', 'en', 'Cardwire on this computer'],
])('a browser in %s is shown the page in %s', async (locale, language, title) => {
  proves('open-accessible')
  const { address } = await user.open()
  const { page, close } = await openInChromium(address, { locale })
  await page.getByRole('heading', { level: 1, name: title }).waitFor()
  expect(await page.getAttribute('html', 'lang')).toBe(language)
  await close()
})

test('the command ends when the page is closed', async () => {
  proves('open-page')
  const { address, program } = await user.open()
  const { page, close } = await openInChromium(address)
  await page.getByRole('heading', { name: 'Cardwire is running' }).waitFor()
  const ended = new Promise((resolve) => program.child.once('exit', resolve))
  await close()
  expect(await ended).toBe(0)
})
