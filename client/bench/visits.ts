/** The setup of the bench: a shop's page, the compiled connector, and browsers, each with a profile of its own. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startDisplay } from '../../test/bed/display.ts'
import { createTokenSigner } from '../../test/bed/token-signer.ts'
import type { Tab } from '../test/journeys/browser.ts'
import { openChromium } from '../test/journeys/chromium.ts'
import { startConnector } from '../test/journeys/connector.ts'
import { openShop } from '../test/journeys/shop.ts'
import { waitForState } from './in-page.ts'

export interface Visits {
  readonly registryPort: string
  token(): string
  /** Opens a new browser with the shop's page, and gives consent by a click. */
  openWithConsent(): Promise<Opened>
  /** Opens a new browser with a document of the same origin that sends no requests. */
  openIdle(): Promise<Opened>
  close(): Promise<void>
}

export interface Opened {
  readonly first: Tab
  /** Opens such a document in the same browser. */
  tab(): Promise<Tab>
  close(): Promise<void>
}

export async function openVisits(): Promise<Visits> {
  const closers: (() => Promise<void>)[] = []
  const close = async () => {
    for (const end of closers.splice(0).toReversed()) await end()
  }
  try {
    const folder = await mkdtemp(join(tmpdir(), 'cardwire-bench-'))
    closers.push(() => rm(folder, { recursive: true, force: true }))
    const signer = await createTokenSigner(folder)
    const shop = await openShop(() => signer.token())
    closers.push(shop.close)
    const display = await startDisplay()
    closers.push(display.stop)
    const { settings } = display
    const connector = await startConnector({
      ...settings,
      CARDWIRE_CORS: shop.everyPage,
      CARDWIRE_JWKS: signer.jwks,
    })
    closers.push(connector.close)
    const page = shop.newPage()
    const library = `${page.origin}/client.js`
    const open = async (address: string): Promise<Opened> => {
      const browser = await openChromium({
        home: await mkdtemp(join(folder, 'home-')),
        settings,
        roots: [shop.root, connector.root],
        publicPort: shop.port,
      })
      closers.push(browser.close)
      await browser.permit(page.origin, 'granted')
      return {
        first: await browser.open(address),
        tab: () => browser.open(library),
        async close() {
          closers.splice(closers.indexOf(browser.close), 1)
          await browser.close()
        },
      }
    }
    return {
      registryPort: connector.registryPort,
      token: () => signer.token(),
      openIdle: () => open(library),
      async openWithConsent() {
        const opened = await open(page.address(connector.registryPort))
        await runInPage(opened.first, waitForState, 'consent-required')
        await opened.first.click('#copy')
        await runInPage(opened.first, waitForState, 'watching')
        return opened
      },
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** Runs a function in the page, with an argument that is JSON, and resolves with its result. */
export const runInPage = <Given, T>(
  tab: Tab,
  act: (given: Given) => T | Promise<T>,
  given: Given,
): Promise<T> => tab.read(`(${act})(${JSON.stringify(given)})`) as Promise<T>
