/**
 * Pictures of the local page, light and dark, into docs/screenshots: a part of `npm run screenshots`.
 * For translators: `node connector/test/binary/open/screenshots.ts --language fr --to FOLDER`.
 */
import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { startDisplay } from '../../../../test/bed/display.ts'
import { readPictureOptions } from '../../../../test/bed/picture-options.ts'
import { catalogs } from '../../../src/languages/catalogs.ts'
import { askForConsent } from './page-of-shop.ts'
import { createUser, openInChromium } from './user.ts'

const { language, tag, to } = readPictureOptions()
const texts = catalogs[language].page
const size = { width: 760, height: 600 }
const narrow = { width: 320, height: 640 }
// The ATR of a PIV card, in the list of known cards.
const atr = '3BF81300008131FE15597562696B657934D4'

const take = (page: Page, name: string) =>
  page.screenshot({ path: join(to, `${name}.png`), fullPage: true, animations: 'disabled' })

const isRunning = (page: Page) => page.getByRole('heading', { name: texts.runningTitle }).waitFor()

const checked = (page: Page) =>
  page.getByText(texts.nothingWrong).or(page.getByText(texts.someWrong)).waitFor()

const display = await startDisplay()
const card = join(tmpdir(), `cardwire-card-${crypto.randomUUID()}`)
await writeFile(card, atr)
const settings = { ...display.settings, CARDWIRE_VIRTUAL_READER: card, CARDWIRE_JWT: 'off' }
const user = await createUser({ ...settings, CARDWIRE_CORS: 'https://shop.example' })
const newcomer = await createUser(display.settings)
try {
  for (const colorScheme of ['light', 'dark'] as const) {
    const before = await openInChromium((await newcomer.open()).address, {
      ...{ colorScheme, viewport: size, locale: tag },
    })
    await isRunning(before.page)
    await checked(before.page)
    await take(before.page, `open-first-${colorScheme}`)
    await before.close()

    const options = { colorScheme, viewport: size, locale: tag }
    const { page, close } = await openInChromium((await user.open()).address, options)
    await isRunning(page)
    await askForConsent(user.home, display)
    await page.getByText('https://shop.example').waitFor()
    const trust = page.getByRole('button', { name: texts.trust })
    await checked(page)
    if (await trust.isVisible()) await trust.click()
    await page.getByText(texts.nothingWrong).waitFor()
    await page.getByRole('heading', { level: 1 }).click()
    await take(page, `open-${colorScheme}`)
    await page.setViewportSize(narrow)
    await take(page, `open-narrow-${colorScheme}`)
    await close()
  }
} finally {
  await Promise.all([user.close(), newcomer.close()])
  await display.stop()
  await rm(card, { force: true })
}
