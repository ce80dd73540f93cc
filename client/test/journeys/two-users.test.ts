/** Two accounts on one machine, each with its own display, browser and connector; the registry is a service for both. */

import { chmod, copyFile, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Account, createAccount } from '../../../test/bed/accounts.ts'
import { type Display, startDisplay } from '../../../test/bed/display.ts'
import { findFreePort } from '../../../test/bed/free-port.ts'
import {
  createEnvironment,
  type Program,
  type Settings,
  startProgram,
} from '../../../test/bed/program.ts'
import { proves } from '../../../test/bed/proves.ts'
import { connectorProgram } from '../../../test/bed/repository.ts'
import { createTokenSigner } from '../../../test/bed/token-signer.ts'
import type { Browser, OpenBrowser } from './browser.ts'
import { type Connector, startConnector } from './connector.ts'
import { openShop, type Shop } from './shop.ts'
import { browsersOf, giveConsent, readReaders, waitForState } from './user-session.ts'
import { becomes } from './wait.ts'

interface User {
  readonly account: Account
  readonly display: Display
  readonly connector: Connector
  readonly browser: Browser
}

const atr = '3B951381018073FF01000B'

describe.each(browsersOf('two users'))('%s', (_, openBrowser) => {
  let folder: string
  let shop: Shop
  let program: string
  let service: {
    readonly account: Account
    readonly registry: Program
    readonly settings: Settings
  }
  const users: User[] = []

  beforeAll(async () => {
    // Every account may pass it.
    folder = await mkdtemp(join(tmpdir(), 'cardwire-two-users-'))
    await chmod(folder, 0o755)
    program = join(folder, 'cardwire')
    await copyFile(connectorProgram, program)
    const signer = await createTokenSigner(folder)
    shop = await openShop(() => signer.token())
    const account = await createAccount(folder)
    const settings = {
      CARDWIRE_REGISTRY_PORT: String(await findFreePort()),
      CARDWIRE_MACHINE_DIR: account.home,
    }
    const registry = startProgram([program, 'registry', '--service'], {
      account,
      env: createEnvironment(account.home, settings),
    })
    await registry.waitForOutput(/listening on port/)
    service = { account, registry, settings }
    for (const _name of ['Ada', 'Bob']) users.push(await createUser(openBrowser, signer.jwks))
  })

  afterAll(async () => {
    for (const { browser, connector, display, account } of users) {
      await browser.close()
      await connector.close()
      await display.stop()
      await account.remove()
    }
    await service?.registry.stop()
    await service?.account.remove()
    await shop?.close()
    await rm(folder, { recursive: true, force: true })
  })

  async function createUser(open: OpenBrowser, jwks: string): Promise<User> {
    const account = await createAccount(folder)
    const { home } = account
    const display = await startDisplay(account)
    const settings = { ...display.settings, CARDWIRE_CORS: shop.everyPage, CARDWIRE_JWKS: jwks }
    const connector = await startConnector(
      { ...settings, ...service.settings },
      { account, program },
    )
    const registryRoot = await readFile(join(service.account.home, 'public/rootCA.pem'), 'utf8')
    const browser = await open({
      home,
      account,
      settings: display.settings,
      publicPort: shop.port,
      roots: [shop.root, registryRoot, connector.root],
    })
    return { account, display, connector, browser }
  }

  test('each of two users on one machine reaches the own connector', async () => {
    proves('journey-two-accounts')
    const page = shop.newPage()
    const tabs = []
    for (const { browser } of users) {
      await browser.permit(page.origin, 'granted')
      const tab = await browser.open(page.address(service.settings['CARDWIRE_REGISTRY_PORT'] ?? ''))
      await waitForState(tab, 'consent-required')
      tabs.push(tab)
    }
    const [ada, bob] = tabs
    const [adas, bobs] = users
    if (!ada || !bob || !adas || !bobs) throw new Error('Cannot find two users')

    // Both ask at the same time; each is led to the own connector, by the own clipboard.
    await Promise.all([giveConsent(ada), giveConsent(bob)])
    const [one, other] = [adas, bobs].map(({ connector }) => connector.port())
    expect(one).not.toBe(other)
    expect(await ada.read('shop.client.url')).toBe(`https://localhost:${one}`)
    expect(await bob.read('shop.client.url')).toBe(`https://localhost:${other}`)

    await adas.connector.insert(atr)
    await becomes(() => readReaders(ada), `Cardwire Virtual Reader: ${atr}`)
    expect(await readReaders(bob)).toBe('Cardwire Virtual Reader: no card')

    // And comes back to it.
    for (const [tab, port] of [
      [ada, one],
      [bob, other],
    ] as const) {
      await tab.reload()
      await waitForState(tab, 'watching')
      expect(await tab.read('shop.client.url')).toBe(`https://localhost:${port}`)
    }
  })
})
