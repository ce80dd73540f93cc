/** A session of one user: a display, a browser and a connector, with the web shop that they visit. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Display, startDisplay } from '../../../test/bed/display.ts'
import { firefoxRuns, type Journey } from '../../../test/bed/legs.ts'
import type { Settings } from '../../../test/bed/program.ts'
import { createTokenSigner, type TokenSigner } from '../../../test/bed/token-signer.ts'
import type { Browser, OpenBrowser, Tab } from './browser.ts'
import { openChromium } from './chromium.ts'
import { type Connector, startConnector } from './connector.ts'
import { openFirefox } from './firefox.ts'
import { openShop, type Page, type PageSource, type Shop } from './shop.ts'
import { becomes } from './wait.ts'

export const browsers = [
  ['Chromium', openChromium],
  ['Firefox', openFirefox],
] as const satisfies readonly (readonly [string, OpenBrowser])[]

/** Those that a run opens for this journey. */
export const browsersOf = (journey: Journey) =>
  browsers.filter(([name]) => name === 'Chromium' || firefoxRuns(journey))

export interface UserSession {
  readonly shop: Shop
  readonly signer: TokenSigner
  readonly display: Display
  readonly connector: Connector
  readonly browser: Browser
  /** A page that was not visited before, and that the browser permits to call this machine. */
  newPage(): Promise<Page>
  /** Opens a tab with a new page, gives consent, and waits for its readers. */
  visit(
    more?: Readonly<Record<string, string>>,
  ): Promise<{ readonly page: Page; readonly tab: Tab }>
  close(): Promise<void>
}

interface UserSessionOptions {
  /** Whether the browser trusts the root of the connector; default: true. */
  readonly trusted?: boolean
  /** Default: a page without a framework. */
  readonly source?: PageSource
}

export async function openUserSession(
  openBrowser: OpenBrowser,
  settings: Settings = {},
  { trusted = true, source }: UserSessionOptions = {},
): Promise<UserSession> {
  const closers: (() => Promise<void>)[] = []
  const close = async () => {
    for (const end of closers.splice(0).toReversed()) await end()
  }
  try {
    const folder = await mkdtemp(join(tmpdir(), 'cardwire-session-'))
    closers.push(() => rm(folder, { recursive: true, force: true }))
    const signer = await createTokenSigner(folder)
    const shop = await openShop(() => signer.token(), source)
    closers.push(shop.close)
    const display = await startDisplay()
    closers.push(display.stop)
    const connector = await startConnector({
      ...display.settings,
      CARDWIRE_CORS: shop.everyPage,
      CARDWIRE_JWKS: signer.jwks,
      ...settings,
    })
    closers.push(connector.close)
    const browser = await openBrowser({
      home: join(folder, 'home'),
      settings: display.settings,
      roots: [shop.root, ...(trusted ? [connector.root] : [])],
      publicPort: shop.port,
    })
    closers.push(browser.close)
    const newPage = async () => {
      const page = shop.newPage()
      await browser.permit(page.origin, 'granted')
      return page
    }
    return {
      shop,
      signer,
      display,
      connector,
      browser,
      newPage,
      async visit(more) {
        const page = await newPage()
        const tab = await browser.open(page.address(connector.registryPort, more))
        await giveConsent(tab)
        return { page, tab }
      },
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** Waits until the page shows this state: `watching`, or the reason of a failure. */
export const waitForState = (tab: Pick<Tab, 'text'>, state: string): Promise<void> =>
  becomes(() => tab.text('#state'), state)

/** Gives consent by a click, once the page requires it. */
export async function giveConsent(tab: Pick<Tab, 'text' | 'click'>): Promise<void> {
  await waitForState(tab, 'consent-required')
  await tab.click('#copy')
  await waitForState(tab, 'watching')
}

export const readReaders = (tab: Pick<Tab, 'text'>): Promise<unknown> => tab.text('#readers')
