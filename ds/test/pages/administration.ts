/** The admin console in a real browser: a service, a user who is signed in, and what every page has to keep. */
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { expect } from 'vitest'
import { administrator } from '../../../test/bed/administrator.ts'
import { colorRules, runAxe } from '../../../test/bed/axe.ts'
import { chromiumFlags, headlessProgram } from '../../../test/bed/chromium.ts'
import {
  type DistributionService,
  startDistributionService,
} from '../../../test/bed/distribution-service.ts'
import { runtimes } from '../../../test/bed/service-runtimes.ts'
import { makeAdministratorCheap } from '../harness/cheap-passwords.ts'
import { fromOwnPage } from '../harness/page-session.ts'

export interface Administration {
  readonly service: DistributionService
  readonly browser: Browser
  /** A page of a browser of its own that is not logged in, and everything that went wrong in it or was loaded from elsewhere. */
  open(options?: BrowserContextOptions): Promise<OpenPage>
  /** The same, logged in, at an address below `/admin/`. */
  openLoggedIn(to?: string, options?: BrowserContextOptions): Promise<OpenPage>
  stop(): Promise<void>
}

export interface OpenPage {
  readonly page: Page
  /** Errors of the console, those of the content security policy among them, and requests to other origins. */
  readonly faults: readonly string[]
  goTo(to: string): Promise<void>
}

/** Starts a service and Chromium. */
export async function startAdministration(
  settings: Parameters<typeof startDistributionService>[1] = {},
): Promise<Administration> {
  const service = await startDistributionService(runtimes.Node, settings)
  await makeAdministratorCheap(service)
  const browser = await chromium.launch({
    executablePath: headlessProgram,
    args: [...chromiumFlags],
  })
  const open: Administration['open'] = async (options = {}) => {
    const page = await (await browser.newContext(options)).newPage()
    const faults: string[] = []
    page.on('console', (message) => message.type() === 'error' && faults.push(message.text()))
    page.on('pageerror', (error) => faults.push(error.message))
    page.on('request', (request) => {
      if (!request.url().startsWith(`${service.url}/`)) faults.push(request.url())
    })
    const goTo = async (to: string) => {
      await page.goto(`${service.url}/admin${to === '' ? '' : `/${to}`}`)
    }
    return { page, faults, goTo }
  }
  return {
    service,
    browser,
    open,
    async openLoggedIn(to = '', options = {}) {
      const opened = await open(options)
      // The browser keeps the cookie of the response, as it does for one that its page sends.
      const response = await opened.page.context().request.post(`${service.url}/admin/login`, {
        headers: fromOwnPage(service),
        form: { username: administrator.name, password: administrator.password },
        maxRedirects: 0,
      })
      expect(response.status()).toBe(303)
      await opened.goTo(to)
      return opened
    },
    async stop() {
      await browser.close()
      await service.stop()
    },
  }
}

/** Logs in on the page that asks for it, with the keyboard. */
export async function logIn(page: Page, { name, password } = administrator): Promise<void> {
  await page.getByLabel('User name').fill(name)
  await page.getByLabel('Password').fill(password)
  await page.keyboard.press('Enter')
}

/** Checks what a page shows against WCAG 2.2 AA; in dark colors what they decide, because the rest is as in light ones. */
export async function expectAccessible(
  page: Page,
  colors: 'light' | 'dark' = 'light',
): Promise<void> {
  const { violations, passes } = await runAxe(page, colors === 'dark' ? colorRules : undefined)
  expect(passes.map(({ id }) => id)).toContain('color-contrast')
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([])
  // A time is read out as it is shown, and not as the API writes it.
  const labels = await page
    .locator('[aria-label]')
    .evaluateAll((elements) => elements.map((element) => element.getAttribute('aria-label') ?? ''))
  expect(labels.filter((label) => /\d{4}-\d\d-\d\dT\d\d:/.test(label))).toEqual([])
}

/** Checks that nothing but tables is wider than the window. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const [content, window] = await page.evaluate<[number, number]>(
    '[document.documentElement.scrollWidth, innerWidth]',
  )
  expect(content).toBeLessThanOrEqual(window)
}
