/** A person at a desk: a display, a browser, and perhaps a connector; and a shop to visit. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, OpenBrowser, Tab } from './browser.ts'
import { openChromium } from './chromium.ts'
import { type Connector, startConnector } from './connector.ts'
import { type Display, startDisplay } from './display.ts'
import { openFirefox } from './firefox.ts'
import type { Settings } from './program.ts'
import { openShop, type Page, type Shop } from './shop.ts'
import { newSigner, type Signer } from './tokens.ts'
import { becomes } from './wait.ts'

export const browsers = [
  ['Chromium', openChromium],
  ['Firefox', openFirefox],
] as const satisfies readonly (readonly [string, OpenBrowser])[]

export interface Desk {
  readonly shop: Shop
  readonly signer: Signer
  readonly display: Display
  readonly connector: Connector
  readonly browser: Browser
  /** A page that nobody has visited, which the browser lets call this machine. */
  newPage(): Promise<Page>
  /** A tab with a new page whose person has consented, and which has its readers. */
  visit(
    more?: Readonly<Record<string, string>>,
  ): Promise<{ readonly page: Page; readonly tab: Tab }>
  close(): Promise<void>
}

/** `trusted`: whether the browser was told of the connector's root. */
export async function newDesk(
  openBrowser: OpenBrowser,
  settings: Settings = {},
  { trusted = true } = {},
): Promise<Desk> {
  const closers: (() => Promise<void>)[] = []
  const close = async () => {
    for (const end of closers.splice(0).toReversed()) await end()
  }
  try {
    const folder = await mkdtemp(join(tmpdir(), 'cardwire-desk-'))
    closers.push(() => rm(folder, { recursive: true, force: true }))
    const signer = await newSigner(folder)
    const shop = await openShop(() => signer.token())
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
        await consent(tab)
        return { page, tab }
      },
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** What the page says of how it stands: `watching`, or the reason why not. */
export const stands = (tab: Pick<Tab, 'text'>, state: string): Promise<void> =>
  becomes(() => tab.text('#state'), state)

/** The person is asked, clicks, and is in. */
export async function consent(tab: Pick<Tab, 'text' | 'click'>): Promise<void> {
  await stands(tab, 'consent-required')
  await tab.click('#copy')
  await stands(tab, 'watching')
}

export const readersOf = (tab: Pick<Tab, 'text'>): Promise<unknown> => tab.text('#readers')
