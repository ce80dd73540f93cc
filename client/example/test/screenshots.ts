/**
 * Pictures of the page's states, light and dark, into docs/screenshots: a part of `npm run screenshots`.
 * For translators: `node client/example/test/screenshots.ts --language fr --to FOLDER`. The page is in English; the sentences of
 * the library are in the language.
 */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { readPictureOptions } from '../../../test/bed/picture-options.ts'
import { virtualCardPin } from '../back-end/virtual-card.ts'
import type { Screen } from '../page/screens.ts'
import { type BrowserSession, giveConsent, openBrowserSession } from './browser-session.ts'
import {
  createExampleEnvironment,
  type RunningExample,
  runConsents,
  runTrust,
  startExample,
} from './example-start.ts'
import { createFolderWindows, type FolderWindows } from './folder-windows.ts'
import { createPinWindow, type PinWindow } from './pin-window.ts'

const size = { width: 760, height: 480 }
const { language, tag, to } = readPictureOptions()

// As users of an application see it.
const forUsers = { EXAMPLE_DEVELOPER: 'no' }

type Colors = 'light' | 'dark'
/** Of the whole page, or of the one part that matters. */
type TakePicture = (state: string, part?: string) => Promise<unknown>

async function withExample(
  environment: Readonly<Record<string, string>>,
  act: (example: RunningExample) => Promise<void>,
): Promise<void> {
  const example = await startExample(environment)
  try {
    await act(example)
  } finally {
    await example.stop()
  }
}

/** Opens the page in a browser of its own. */
async function visit(
  user: BrowserSession,
  { url }: RunningExample,
  colors: Colors,
  act: (page: Page, take: TakePicture) => Promise<void>,
): Promise<void> {
  const { page, close } = await user.open(url, { colors, language: tag })
  // The library speaks the language of the page.
  await page.evaluate(`document.documentElement.lang = '${language}'`)
  await page.setViewportSize(size)
  await act(page, (state, part) => {
    const picture = {
      path: join(to, `${state}-${colors}.png`),
      animations: 'disabled',
    } as const
    if (part !== undefined) return page.locator(part).screenshot(picture)
    return page.screenshot({ ...picture, fullPage: true })
  })
  await close()
}

/** The button of the screen that is shown. */
const findGo = (page: Page, screen: Screen) => page.locator(`#${screen} [data-act="go"]`)

const takePicturesBeforeTrust = (
  user: BrowserSession,
  example: RunningExample,
  colors: Colors,
): Promise<void> =>
  visit(user, example, colors, async (page, take) => {
    await findGo(page, 'missing').waitFor()
    await take('not-there')
    await page.route('**/token', (route) => route.abort())
    await findGo(page, 'missing').click()
    await findGo(page, 'trouble').waitFor()
    await take('trouble')
  })

const takePicturesOfVisit = (
  user: BrowserSession,
  example: RunningExample,
  colors: Colors,
): Promise<void> =>
  visit(user, example, colors, async (page, take) => {
    await findGo(page, 'consent').waitFor()
    await take('consent')
    await giveConsent(page)
    await page.locator('#move-card').waitFor()
    await take('reader')
    await page.locator('#move-card').click()
    await page.locator('.reader.holding').waitFor()
    await take('card')
    await takePicturesOfCard(page, createPinWindow(user.display), take)
    await takePictureOfFolder(page, createFolderWindows(user.display, example.origin), take)
    runConsents(example.environment, 'revoke', '--all')
    await findGo(page, 'consent').waitFor()
    await take('consent-ended')
  })

/** Everything that a user with a card does, and what becomes of it. */
async function takePicturesOfCard(
  page: Page,
  pinWindow: PinWindow,
  take: TakePicture,
): Promise<void> {
  /** Once nothing runs, which the button to cancel tells. */
  const isShown = async (selector: string) => {
    await page.locator(selector).waitFor()
    await page.locator('#cancel-actions').waitFor({ state: 'hidden' })
  }
  const press = (id: string) => page.locator(`#${id}`).click()
  await press('sign-in')
  await pinWindow.appear()
  await take('pin')
  await pinWindow.enter('000000')
  await isShown('#card-message.failed')
  await take('pin-wrong')
  await press('sign-in')
  await pinWindow.enterAgain(virtualCardPin)
  await isShown('#signed-in')
  // What the browser shows of a PDF is not in a picture of the page.
  await page.evaluate("document.querySelector('#order').style.display = 'none'")
  await take('signed-in', '#card-panel')
  await press('sign')
  await pinWindow.enter(virtualCardPin)
  await isShown('#signed')
  await take('signed', '#card-panel')
  await press('sign-out')
  await isShown('#sign-in')
}

/** The folder that the user has given the page, with a note in it. */
async function takePictureOfFolder(
  page: Page,
  windows: FolderWindows,
  take: TakePicture,
): Promise<void> {
  await page.locator('#choose').click()
  await windows.choose()
  await page.locator('#folder').waitFor()
  await page.locator('#save').click()
  await page.locator('#file-list li').waitFor()
  await page.locator('#save:not([aria-disabled="true"])').waitFor()
  await take('folder', '#file-panel')
}

const takePictureOfReaders = (
  user: BrowserSession,
  example: RunningExample,
  colors: Colors,
): Promise<void> =>
  visit(user, example, colors, async (page, take) => {
    await findGo(page, 'consent').click()
    await page.locator('#no-card-service').waitFor()
    await take('no-card-service')
    // The next visit asks for consent again.
    runConsents(example.environment, 'revoke', '--all')
  })

/** No connector finds the codes: without a desktop it has no clipboard. */
const takePictureOfLastCode = (
  user: BrowserSession,
  example: RunningExample,
  colors: Colors,
): Promise<void> =>
  visit(user, example, colors, async (page, take) => {
    const word = page.locator('#consent [data-text="word"]')
    for (let copied = 0; copied < 2; copied += 1) {
      const before = await word.textContent()
      await findGo(page, 'consent').click()
      await word.filter({ hasNotText: before ?? '' }).waitFor()
    }
    await take('second-code')
    await findGo(page, 'consent').click()
    await findGo(page, 'no-agent').waitFor()
    await take('no-agent')
  })

for (const colors of ['light', 'dark'] as const) {
  const user = await openBrowserSession()
  const { settings: desktop } = user.display
  const environment = await createExampleEnvironment(user.folder, {
    ...{ ...forUsers, ...desktop, LANG: `${tag.replace('-', '_')}.UTF-8` },
  })
  await mkdir(join(user.folder, 'home/Documents'))
  const noCardService = {
    ...environment,
    EXAMPLE_READERS: 'machine',
    CARDWIRE_PCSC_LIBRARY: '/nowhere/libpcsclite.so.1',
  }
  const { DISPLAY: _, WAYLAND_DISPLAY: __, ...noDesktop } = environment
  try {
    await withExample(environment, async (example) => {
      await takePicturesBeforeTrust(user, example, colors)
      runTrust(environment)
      await takePicturesOfVisit(user, example, colors)
    })
    await withExample(noCardService, (example) => takePictureOfReaders(user, example, colors))
    await withExample(noDesktop, (example) => takePictureOfLastCode(user, example, colors))
  } finally {
    await user.close()
  }
}
