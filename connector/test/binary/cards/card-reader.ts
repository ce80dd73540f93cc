/** A compiled connector with a reader of a real card service, and what is inserted there. */
import { rm } from 'node:fs/promises'
import { onTestFinished } from 'vitest'
import {
  type Connector,
  type ConnectorOptions,
  createHome,
  startConnector,
} from '../../../../test/bed/connector.ts'
import type { HttpsRequestOptions, HttpsResponse } from '../../../../test/bed/https-client.ts'
import { cardPorts, readerNames, startPcscd } from '../../../../test/bed/pcscd.ts'
import type { Settings } from '../../../../test/bed/program.ts'
import { insertCard } from '../../../../test/bed/virtual-card.ts'
import { waitFor } from '../../../../test/bed/wait-for.ts'
import {
  createPivCard,
  type EmulatedCard,
  type PivCardOptions,
} from '../../../src/sandbox/virtual-card/piv-card.ts'
import { type CardFiles, makeKeys, type TracedCard, traceCard } from '../../cards/emulated-card.ts'

export const pin = '123456'
const [port] = cardPorts
const [readerName] = readerNames

/** A reader of a real card service, and how cards get into it. */
export interface TestReader {
  readonly name: string
  start(): Promise<{ close(): Promise<void> }>
  insert(card: Partial<EmulatedCard> & Pick<EmulatedCard, 'atr'>): Promise<Inserted>
}
interface Inserted {
  remove(): Promise<void>
}

const virtualReader: TestReader = {
  name: readerName,
  start: startPcscd,
  insert: (card) => insertCard(port, card),
}

export interface ListedReader {
  readonly id: string
  readonly name: string
  readonly card?: { readonly module?: string; readonly modules: readonly string[] }
}

export interface CardReader {
  readonly connector: Connector
  readonly files: CardFiles
  /** As a listing has it now. */
  find(): Promise<ListedReader | undefined>
  /** Inserts a PIV card until the end of the test. */
  insert(options?: Partial<PivCardOptions>): Promise<TracedCard & Inserted>
  /** Inserts another card until the end of the test, by what puts it into the reader that listens on a port. */
  insertAnother<C extends Inserted>(insert: (port: number) => Promise<C>): Promise<C>
  /** Inserts a card that answers every command with the same bytes, hex; resolves with the commands that it gets. */
  insertUnnamed(atr: string, answer: string): Promise<readonly string[]>
  /** Calls an operation of a module for this reader. */
  token(path: string, module?: string, options?: HttpsRequestOptions): Promise<HttpsResponse>
  /** Ends the connector, and starts it again with the same home. */
  restart(): Promise<void>
  stop(): Promise<void>
}

/** Keys of all kinds. */
const types = { '9A': 'P-256', '9C': 'RSA-2048', '9D': 'P-384', '9E': 'P-256' } as const

export async function startCardReader(
  settings: Settings = {},
  options: ConnectorOptions = {},
  testReader: TestReader = virtualReader,
): Promise<CardReader> {
  const pcscd = await testReader.start()
  const files = await makeKeys(types)
  const home = await createHome()
  let connector = await startConnector(settings, home, options)
  const find = async (): Promise<ListedReader | undefined> => {
    const { json } = await connector.request('/v3/readers')
    return (json.data as readonly ListedReader[]).find(({ name }) => name === testReader.name)
  }
  await waitFor(async () => (await find()) !== undefined)
  const reader = (await find())?.id ?? ''
  const hasCard = async () => (await find())?.card !== undefined
  const removeLater = (card: { remove(): Promise<void> }) =>
    onTestFinished(async () => {
      await card.remove()
      await waitFor(async () => !(await hasCard()))
    })

  return {
    get connector() {
      return connector
    },
    files,
    find,
    async insert(card = {}) {
      const made = createPivCard({ keys: files.keys, pin, protocol: 'T=1', ...card })
      const traced = traceCard(made)
      const inserted = await testReader.insert(traced)
      removeLater(inserted)
      await waitFor(hasCard)
      return { ...traced, ...inserted }
    },
    async insertAnother(insert) {
      const inserted = await insert(port)
      removeLater(inserted)
      await waitFor(hasCard)
      return inserted
    },
    async insertUnnamed(atr, answer) {
      const commands: string[] = []
      const respond = (apdu: Uint8Array) => {
        commands.push(Buffer.from(apdu).toString('hex').toUpperCase())
        return Buffer.from(answer, 'hex')
      }
      removeLater(await testReader.insert({ atr, respond }))
      await waitFor(hasCard)
      return commands
    },
    token: (path, module = 'piv', request = {}) =>
      connector.request(`/v3/modules/${module}/apps/token/readers/${reader}/${path}`, request),
    async restart() {
      await connector.stop()
      connector = await startConnector(settings, home, options)
      await waitFor(async () => (await find()) !== undefined)
    },
    async stop() {
      await connector.stop()
      await rm(home, { recursive: true, force: true })
      await pcscd.close()
    },
  }
}
