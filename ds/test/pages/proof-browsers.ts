/** Chromium by CDP and Firefox by WebDriver BiDi, with one page that everything is proven in, and all that goes wrong in it. */
import puppeteer, { type Browser, type Page } from 'puppeteer-core'
import { administrator } from '../../../test/bed/administrator.ts'
import { chromiumFlags, headlessProgram } from '../../../test/bed/chromium.ts'
import type { SeededService } from './seeded-service.ts'

export type Colors = 'light' | 'dark'

/** CSS pixels, and how many of the screen each is wide. */
export interface Viewport {
  readonly width: number
  readonly height: number
  readonly deviceScaleFactor?: number
}

export const viewports = {
  '1280 px': { width: 1280, height: 800 },
  '320 px': { width: 320, height: 640 },
  // What a user sees at 200 % in a window of 1280 px.
  '200 %': { width: 640, height: 400, deviceScaleFactor: 2 },
} as const satisfies Readonly<Record<string, Viewport>>

const firefoxProgram = '/usr/bin/firefox-esr'

export interface ProofPage {
  readonly page: Page
  /** Opens an address below `/admin/`; resolves with the status of the response. */
  goTo(to: string): Promise<number>
  read<T>(expression: string): Promise<T>
  logIn(): Promise<void>
  /** The value of the cookie of the session. */
  readCookie(): Promise<string>
  /** From now on no script of a page runs. */
  stopScripts(): Promise<void>
  /** Errors, violations of the content security policy and requests to elsewhere since the last call. */
  takeFaults(): Promise<readonly string[]>
  close(): Promise<void>
}

export type OpenProofBrowser = (service: Service, colors: Colors) => Promise<ProofPage>
type Service = Pick<SeededService['service'], 'url'>

export const openChromium: OpenProofBrowser = async (service, colors) => {
  const browser = await puppeteer.launch({
    browser: 'chrome',
    executablePath: headlessProgram,
    args: [...chromiumFlags],
  })
  const opened = await openPage(browser, service)
  const { page } = opened
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: colors }])
  return { ...opened, stopScripts: () => page.setJavaScriptEnabled(false) }
}

export const openFirefox: OpenProofBrowser = async (service, colors) => {
  // WebDriver BiDi of this Firefox sets neither colors nor scripts. 0 is dark, 1 is light.
  const scheme = colors === 'dark' ? 0 : 1
  const browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath: firefoxProgram,
    extraPrefsFirefox: {
      'layout.css.prefers-color-scheme.content-override': scheme,
      // Its question would take the focus.
      'signon.rememberSignons': false,
    },
  })
  const opened = await openPage(browser, service)
  return { ...opened, stopScripts: () => blockScripts(opened.page) }
}

/** Keeps the scripts of pages from being loaded: their policy allows no others. */
async function blockScripts(page: Page): Promise<void> {
  await page.setRequestInterception(true)
  page.on('request', (request) =>
    request.url().endsWith('.js') ? request.abort() : request.continue(),
  )
}

const violationRecorder = `() => {
  window.violations = []
  document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
    window.violations.push(violatedDirective + ' ' + blockedURI))
}`

async function openPage(
  browser: Browser,
  { url }: Service,
): Promise<Omit<ProofPage, 'stopScripts'>> {
  const page = await browser.newPage()
  const faults: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(`console: ${message.text()}`)
  })
  page.on('pageerror', (error) => faults.push(`error: ${error}`))
  page.on('dialog', (dialog) => faults.push(`dialog: ${dialog.message()}`))
  page.on('request', (request) => {
    // Chromium draws its fields for dates with data: addresses; those of pages violate their policy.
    if (!/^data:/.test(request.url()) && !request.url().startsWith(`${url}/`))
      faults.push(`request to ${request.url()}`)
  })
  await page.evaluateOnNewDocument(violationRecorder)
  await page.setViewport(viewports['1280 px'])
  const goTo: ProofPage['goTo'] = async (to) => {
    const response = await page.goto(`${url}/admin${to === '' ? '' : `/${to}`}`)
    return response?.status() ?? 0
  }
  const read = async <T>(expression: string) => (await page.evaluate(expression)) as T
  return {
    page,
    goTo,
    read,
    async logIn() {
      await goTo('login')
      await page.type('#username', administrator.name)
      await page.type('#password', administrator.password)
      await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')])
    },
    readCookie: async () =>
      (await browser.cookies()).find(({ name }) => name === '__Host-cardwire')?.value ?? '',
    async takeFaults() {
      const violations = await read<readonly string[]>('window.violations ?? []')
      return [...faults.splice(0), ...violations.map((one) => `policy: ${one}`)]
    },
    close: () => browser.close(),
  }
}
