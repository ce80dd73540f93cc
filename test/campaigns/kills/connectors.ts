/** Connectors of one user on one display, with one registry, pcscd and its two readers; and a page with consent for each. */
import { readdirSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Connector, createHome, startConnector } from '../../bed/connector.ts'
import { startDisplay } from '../../bed/display.ts'
import { findFreePort } from '../../bed/free-port.ts'
import { type HttpsResponse, requestHttps } from '../../bed/https-client.ts'
import { asPage, giveConsent } from '../../bed/page.ts'
import { cardPorts, type Pcscd, readerNames, startPcscd } from '../../bed/pcscd.ts'
import { insertCard, type VirtualCard } from '../../bed/virtual-card.ts'
import { waitFor } from '../../bed/wait-for.ts'
import { createTruth, type Truth } from './truth.ts'

export interface Page {
  readonly origin: string
  readonly consent: string
  /** The port of its connector, and its process. */
  readonly apiPort: number
  readonly apiPid: number
  /** Asks its connector. */
  ask(path: string): Promise<HttpsResponse>
  /** Asks the registry. */
  askRegistry(path: string, body?: object): Promise<HttpsResponse>
}

export interface Connectors {
  readonly pages: readonly Page[]
  readonly pcscd: Pcscd
  readonly truth: Truth
  /** Inserts a card into this reader, or removes the one that is in it. */
  changeCard(at: number): Promise<void>
  /** The cards are gone with pcscd. */
  forgetCards(): void
  /** The processes with this role that the connectors have started and that run. */
  findChildren(role: 'sandbox' | 'registry'): readonly number[]
  stop(): Promise<void>
}

export async function startConnectors(count: number): Promise<Connectors> {
  const closing: (() => unknown)[] = []
  const stop = async () => {
    for (const close of closing.splice(0).toReversed()) await close()
  }
  try {
    const pcscd = await startPcscd()
    closing.push(pcscd.close)
    const display = await startDisplay()
    closing.push(display.stop)
    const home = await createHome()
    closing.push(() => rm(home, { recursive: true, force: true, maxRetries: 5 }))
    const registryPort = await findFreePort()
    const connectors: Connector[] = []
    const pages: Page[] = []
    for (let at = 1; at <= count; at += 1) {
      const connector = await startConnector(
        {
          ...display.settings,
          CARDWIRE_CORS: 'https://*.pages.example',
          CARDWIRE_JWT: 'off',
          CARDWIRE_REGISTRY_PORT: String(registryPort),
          // They are several packages: what they have in common is the folder of certificates.
          XDG_STATE_HOME: join(home, `state-${at}`),
        },
        home,
      )
      closing.push(connector.stop)
      connectors.push(connector)
      pages.push(await openPage(connector, registryPort, at, display.copy))
    }
    const cards = createCards()
    closing.push(cards.removeAll)
    return {
      pages,
      pcscd,
      truth: cards.truth,
      changeCard: cards.change,
      forgetCards: cards.forget,
      findChildren: (role) => connectors.flatMap(({ child }) => findChildren(child.pid ?? 0, role)),
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/** A page that has got consent from this connector. */
async function openPage(
  { port, ca, child }: Connector,
  registryPort: number,
  at: number,
  copy: (text: string) => Promise<void>,
): Promise<Page> {
  const origin = `https://page-${at}.pages.example`
  const askAt = (to: number) => (path: string, body?: object) =>
    requestHttps(to, ca, path, asPage(origin, body))
  const askRegistry = askAt(registryPort)
  const { consent } = await giveConsent(copy, askAt(port))
  const isLinked = async () => {
    const response = await askRegistry('/v3/validate', { consents: [consent] }).catch(
      () => undefined,
    )
    return response?.json.data?.consentState === 'APPROVED'
  }
  await waitFor(isLinked, () => 'the registry does not know the consent')
  return { origin, consent, apiPort: port, apiPid: child.pid ?? 0, ask: askAt(port), askRegistry }
}

/** Cards for the readers of vpcd, and what is in them. */
function createCards() {
  const truth = createTruth(readerNames)
  const cards: (VirtualCard | undefined)[] = []
  let inserted = 0
  return {
    truth,
    async change(at: number) {
      const name = readerNames[at % readerNames.length] ?? ''
      const there = cards[at]
      if (there) {
        const end = truth.begin(name, 'empty')
        cards[at] = undefined
        await there.remove()
        end()
      } else {
        inserted += 1
        // Historical bytes that no other card had: an old listing is not taken for a new one.
        const atr = `3B02${inserted.toString(16).toUpperCase().padStart(4, '0')}`
        const end = truth.begin(name, `card ${atr}`)
        try {
          const card = await insertCard(cardPorts[at % cardPorts.length] ?? 0, { atr })
          cards[at] = card
          // pcscd may be killed before it has asked.
          await Promise.race([card.atrRequested, card.closed])
        } finally {
          end()
        }
      }
    },
    forget: () => void cards.splice(0),
    removeAll: () => Promise.all(cards.splice(0).map((card) => card?.remove())),
  }
}

/** The children of a process whose command line has this word. */
function findChildren(pid: number, role: string): readonly number[] {
  try {
    return readdirSync(`/proc/${pid}/task`)
      .flatMap((task) => readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' '))
      .map(Number)
      .filter((child) => child > 0 && hasRole(child, role))
  } catch {
    return []
  }
}

function hasRole(pid: number, role: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes(role)
  } catch {
    return false
  }
}
