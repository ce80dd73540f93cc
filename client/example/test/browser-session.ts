/** A session of a user: a display of its own with a clipboard, and Chromium on it. */
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Locator, type Page } from 'playwright-core'
import { runAxe } from '../../../test/bed/axe.ts'
import { chromiumFlags, chromiumProgram, pageWaitMs } from '../../../test/bed/chromium.ts'
import { type Display, startDisplay } from '../../../test/bed/display.ts'
import { createEnvironment } from '../../../test/bed/program.ts'

export interface BrowserSession {
  /** The folder of all files of the session. */
  readonly folder: string
  readonly display: Display
  /** Opens an address in the browser; `faults` are the errors of its console. */
  open(address: string, how?: OpenOptions): Promise<OpenedPage>
  close(): Promise<void>
}

export interface OpenOptions {
  readonly colors?: 'light' | 'dark'
  /** A tag of BCP 47. */
  readonly language?: string
  readonly flags?: readonly string[]
}

export interface OpenedPage {
  readonly page: Page
  readonly faults: readonly string[]
  close(): Promise<void>
}

export async function openBrowserSession(): Promise<BrowserSession> {
  const folder = await mkdtemp(join(tmpdir(), 'cardwire-example-'))
  const home = join(folder, 'home')
  await mkdir(home)
  const display = await startDisplay()
  return {
    folder,
    display,
    async open(address, { colors = 'light', language, flags = [] } = {}) {
      const context = await chromium.launchPersistentContext(join(folder, 'profile'), {
        executablePath: chromiumProgram,
        // Headless, it would have a clipboard of its own.
        headless: false,
        args: [...chromiumFlags, '--hide-scrollbars', ...flags],
        colorScheme: colors,
        ...(language !== undefined && { locale: language }),
        viewport: { width: 1000, height: 900 },
        env: createEnvironment(home, display.settings),
      })
      context.setDefaultTimeout(pageWaitMs)
      const page = await context.newPage()
      const faults: string[] = []
      page.on('console', (message) => message.type() === 'error' && faults.push(message.text()))
      page.on('pageerror', (error) => faults.push(error.message))
      await page.goto(address)
      return { page, faults, close: () => context.close() }
    },
    async close() {
      await display.stop()
      // Chromium's helpers write until they have ended, a moment after it.
      await rm(folder, { recursive: true, force: true, maxRetries: 10 })
    },
  }
}

/** Waits for the screen with this heading; what is there instead is the reason of a failure. */
export async function seeHeading(page: Page, name: string): Promise<void> {
  await see(page, page.getByRole('heading', { level: 2, name }))
}

/** Gives consent: copies the code, and the next one when the page says that the connector did not find it in its second. */
export async function giveConsent(
  page: Page,
  pressCopy = () => page.getByRole('button', { name: copyButton }).press('Enter'),
): Promise<void> {
  const again = page.getByText('couldn’t find the code').filter({ visible: true })
  await pressCopy()
  await see(page, page.getByRole('heading', { level: 2, name: 'Your card readers' }).or(again))
  if (!(await again.isVisible())) return
  await pressCopy()
  await seeHeading(page, 'Your card readers')
}

/** Tab until the button has the focus, as somebody without a mouse does; then Enter. */
export async function pressByKeyboard(page: Page, name: string): Promise<void> {
  const isFocused = () => page.evaluate('document.activeElement.textContent')
  for (let steps = 0; (await isFocused()) !== name; steps += 1) {
    if (steps > 20) throw new Error(`Cannot reach "${name}" by keyboard`)
    await page.keyboard.press('Tab')
  }
  await page.keyboard.press('Enter')
}

export const copyButton = 'Copy the code and continue'

async function see(page: Page, place: Locator): Promise<void> {
  await place.waitFor().catch(async (cause) => {
    const shown = await page.locator('body').ariaSnapshot()
    throw new Error(`Cannot see ${place}, the page shows:\n${shown}`, { cause })
  })
}

/** What axe-core finds wrong with the page as it is now: rules with the elements that break them. */
export async function findAccessibilityFaults(page: Page): Promise<readonly string[]> {
  const { violations } = await runAxe(page)
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
}
