/** Pictures of the page's states, light and dark, into docs/screenshots: `npm run screenshots`. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { virtualCardPin } from '../back-end/virtual-card.ts'
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
const folder = fileURLToPath(new URL('../../../docs/screenshots', import.meta.url))
await mkdir(folder, { recursive: true })

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
  const { page, close } = await user.open(url, { colors })
  await page.setViewportSize(size)
  await act(page, (state, part) => {
    const picture = {
      path: join(folder, `${state}-${colors}.png`),
      animations: 'disabled',
    } as const
    if (part !== undefined) return page.locator(part).screenshot(picture)
    return page.screenshot({ ...picture, fullPage: true })
  })
  await close()
}

const findButton = (page: Page, name: string) => page.getByRole('button', { name })

const takePicturesBeforeTrust = (
  user: BrowserSession,
  example: RunningExample,
  colors: Colors,
): Promise<void> =>
  visit(user, example, colors, async (page, take) => {
    await findButton(page, 'Check again').waitFor()
    await take('not-there')
    await page.route('**/token', (route) => route.abort())
    await findButton(page, 'Check again').click()
    await findButton(page, 'Try again').waitFor()
    await take('trouble')
  })

const takePicturesOfVisit = (
  user: BrowserSession,
  example: RunningExample,
  colors: Colors,
): Promise<void> =>
  visit(user, example, colors, async (page, take) => {
    await findButton(page, 'Copy the code').waitFor()
    await take('consent')
    await giveConsent(page)
    await findButton(page, 'Insert the virtual card').waitFor()
    await take('reader')
    await findButton(page, 'Insert the virtual card').click()
    await findButton(page, 'Remove the virtual card').waitFor()
    await take('card')
    await takePicturesOfCard(page, createPinWindow(user.display), take)
    await takePictureOfFolder(page, createFolderWindows(user.display, example.origin), take)
    runConsents(example.environment, 'revoke', '--all')
    await page.getByRole('heading', { name: 'no longer has access' }).waitFor()
    await take('consent-ended')
  })

/** Everything that a user with a card does, and what becomes of it. */
async function takePicturesOfCard(
  page: Page,
  pinWindow: PinWindow,
  take: TakePicture,
): Promise<void> {
  const becomes = (text: string) =>
    page.locator('#card-message').filter({ hasText: text }).waitFor()
  await findButton(page, 'Sign in with the card').click()
  await pinWindow.appear()
  await take('pin')
  await pinWindow.enter('000000')
  await becomes('2 attempts left')
  await take('pin-wrong')
  await findButton(page, 'Sign in with the card').click()
  await pinWindow.enterAgain(virtualCardPin)
  await becomes('You are signed in')
  await take('signed-in', '#card-panel')
  await findButton(page, 'Sign the text').click()
  await pinWindow.enter(virtualCardPin)
  await becomes('The text is signed')
  await take('signed', '#card-panel')
  await findButton(page, 'Sign out').click()
  await becomes('You are signed out')
}

/** The folder that the user has given the page, with a note in it. */
async function takePictureOfFolder(
  page: Page,
  windows: FolderWindows,
  take: TakePicture,
): Promise<void> {
  const becomes = (text: string) =>
    page.locator('#file-message').filter({ hasText: text }).waitFor()
  await findButton(page, 'Choose a folder').click()
  await windows.choose()
  await becomes('can read and write')
  await findButton(page, 'Save the note').click()
  await becomes('is saved')
  await take('folder', '#file-panel')
}

const takePictureOfReaders = (
  user: BrowserSession,
  example: RunningExample,
  colors: Colors,
): Promise<void> =>
  visit(user, example, colors, async (page, take) => {
    await findButton(page, 'Copy the code').click()
    await page.getByText('so Cardwire can’t find any card readers').waitFor()
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
    for (const next of ['the code', 'the second code']) {
      await findButton(page, 'Copy the code').click()
      await page.getByText(`couldn’t find ${next}`).waitFor()
    }
    await take('second-code')
    await findButton(page, 'Copy the code').click()
    await findButton(page, 'Start over').waitFor()
    await take('no-agent')
  })

for (const colors of ['light', 'dark'] as const) {
  const user = await openBrowserSession()
  const { settings: desktop } = user.display
  const environment = await createExampleEnvironment(user.folder, { ...forUsers, ...desktop })
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
