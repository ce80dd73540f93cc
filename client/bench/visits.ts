/** One page of a shop, the compiled connector, and as many browsers as are wanted, each with a profile of its own. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Tab } from '../test/journeys/browser.ts'
import { openChromium } from '../test/journeys/chromium.ts'
import { startConnector } from '../test/journeys/connector.ts'
import { start } from '../test/journeys/program.ts'
import { openShop } from '../test/journeys/shop.ts'
import { newSigner } from '../test/journeys/tokens.ts'
import { standing } from './in-page.ts'

export interface Visits {
  readonly registryPort: string
  token(): string
  /** A new browser with the page of the shop, whose person clicks and is in. */
  consenting(): Promise<Opened>
  /** A new browser with a document of the same origin that calls nobody. */
  silent(): Promise<Opened>
  close(): Promise<void>
}

export interface Opened {
  readonly first: Tab
  /** A silent document of the same browser. */
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
    const signer = await newSigner(folder)
    const shop = await openShop(() => signer.token())
    closers.push(shop.close)
    const settings = await startScreen(closers)
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
      silent: () => open(library),
      async consenting() {
        const opened = await open(page.address(connector.registryPort))
        await run(opened.first, standing, 'consent-required')
        await opened.first.click('#copy')
        await run(opened.first, standing, 'watching')
        return opened
      },
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** Runs a function in the page, with something that is JSON, and gives what it gives. */
export const run = <Given, T>(
  tab: Tab,
  act: (given: Given) => T | Promise<T>,
  given: Given,
): Promise<T> => tab.read(`(${act})(${JSON.stringify(given)})`) as Promise<T>

/** The settings of programs on a display of its own. */
async function startScreen(closers: (() => Promise<void>)[]) {
  const options = ['-screen', '0', '1280x1024x24', '-nolisten', 'tcp', '-noreset']
  const screen = await start(['Xvfb', '-displayfd', '1', ...options], /^\d+\n/m, {})
  closers.push(() => screen.stop())
  return { DISPLAY: `:${/^(\d+)\n/m.exec(screen.output())?.[1]}` }
}
