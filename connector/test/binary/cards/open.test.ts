/** The local page beside a running connector with a real card service: cards as they come and go, and what cards say of their holder. */
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type Display, startDisplay } from '../../../../test/bed/display.ts'
import { proves } from '../../../../test/bed/proves.ts'
import { insertBeidCard, makeBeidFiles } from '../../cards/beid-files.ts'
import { address } from '../../cards/beid-person.ts'
import { createUser, openInChromium } from '../open/user.ts'
import { openPage } from './granted-page.ts'
import { startUserAtReader, type UserAtReader } from './user-at-reader.ts'

const origin = 'https://shop.pages.example'

let display: Display
let user: UserAtReader
beforeAll(async () => {
  display = await startDisplay()
  user = await startUserAtReader({
    ...display.settings,
    CARDWIRE_CORS: 'https://*.pages.example',
    CARDWIRE_JWT: 'off',
  })
})
afterAll(async () => {
  await user?.stop()
  await display?.stop()
})

async function visit() {
  const opened = await createUser({}, { home: user.bed.connector.home })
  onTestFinished(() => opened.close())
  const { page, close } = await openInChromium((await opened.open()).address)
  onTestFinished(close)
  await page.getByRole('heading', { name: 'Cardwire is running' }).waitFor()
  return page
}

test('a card in a reader of the card service appears with its kind, and disappears with it', async () => {
  proves('open-page')
  const page = await visit()
  const reader = page.locator('#readers li').filter({ hasText: 'Virtual PCD 00 00' })
  await reader.getByText('No card').waitFor()
  const card = await user.bed.insert()
  await page.locator('#readers [data-card="yes"]').waitFor()
  await card.remove()
  await reader.getByText('No card').waitFor()
})

test('a page that may no longer read who the user is has to ask again, and its consent stays', async () => {
  proves('open-revokes')
  const files = await makeBeidFiles('1.8')
  const { bed, pinentry } = user
  await pinentry.type('share')
  const shop = await openPage(bed, display, origin)
  await bed.insertAnother((port) => insertBeidCard(port, files, { pin: '1234', protocol: 'T=1' }))
  expect((await shop.read('address', 'beid')).json.data).toMatchObject(address)

  const page = await visit()
  await page
    .getByText('Can read your identity data from these cards: Belgian identity card')
    .waitFor()
  await page.getByRole('button', { name: `Stop sharing my identity data with ${origin}` }).click()
  await page.getByText('Can read your identity data').waitFor({ state: 'detached' })
  expect(await page.getByRole('button', { name: `Revoke access for ${origin}` }).count()).toBe(1)
  await pinentry.type('cancel')
  expect((await shop.read('address', 'beid')).json.code).toBe('604001')
})
