/** A page that sends commands to a card: `transaction` of the library in a browser, the compiled connector, pcscd, and what ends it. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { cardPorts, type Pcscd, readerNames, startPcscd } from '../../../test/bed/pcscd.ts'
import { proves } from '../../../test/bed/proves.ts'
import { insertCard, type VirtualCard } from '../../../test/bed/virtual-card.ts'
import type { Tab } from './browser.ts'
import type { Page } from './shop.ts'
import { browsersOf, giveConsent, openUserSession, type UserSession } from './user-session.ts'
import { becomes } from './wait.ts'

const atr = '3B8580012063CB6800CE'
const aid = 'F0000000010001'
const select = `00A4040007${aid}`
const read = '00B0000004'
const verify = '00200080083132333435363738'

let pcscd: Pcscd
let folder: string
// Whoever has the machine's only pcscd may need it for minutes.
beforeAll(async () => {
  pcscd = await startPcscd()
  folder = await mkdtemp(join(tmpdir(), 'cardwire-raw-'))
})
afterAll(async () => {
  await pcscd?.close()
  await rm(folder, { recursive: true, force: true })
})

describe.each(browsersOf('transaction'))('%s', (_, openBrowser) => {
  let desk: UserSession
  let page: Page
  let tab: Tab
  let card: VirtualCard
  const trace: string[] = []

  beforeAll(async () => {
    const file = join(folder, 'cards.json')
    await writeFile(file, '{}', { mode: 0o600 })
    // No file that stands for a card: the card service of the system.
    const settings = { CARDWIRE_VIRTUAL_READER: '', CARDWIRE_CARDS: file }
    desk = await openUserSession(openBrowser, settings)
    page = await desk.newPage()
    const grants = [{ origin: page.origin, allow: ['raw'], aids: [aid] }]
    await writeFile(file, JSON.stringify({ grants }))
    // The file is read at the start.
    await desk.connector.stop()
    await desk.connector.start()
    card = await insertCard(cardPorts[0], {
      atr,
      respond: (command) => {
        const sent = Buffer.from(command).toString('hex').toUpperCase()
        trace.push(sent)
        return answers[sent] ?? Uint8Array.of(0x6a, 0x82)
      },
      reset: () => trace.push('reset'),
    })
  })
  afterAll(async () => {
    await card?.remove()
    await desk?.close()
  })

  beforeEach(async () => {
    trace.length = 0
    tab = await desk.browser.open(page.address(desk.connector.registryPort))
    await isReady(tab)
  })
  afterEach(() => tab.close())

  const isReady = async (opened: Tab) => {
    await becomes(
      async () => /watching|consent-required/.test(String(await opened.text('#state'))),
      true,
    )
    if ((await opened.text('#state')) !== 'watching') await giveConsent(opened)
    await becomes(
      async () => String(await opened.text('#readers')).includes(`${readerNames[0]}: ${atr}`),
      true,
    )
  }
  /** What `work` of the page resolves with, or the problem that it is refused with; `card` is that of the transaction. */
  const transact = (work: string, application = aid) =>
    tab.read(`(async () => {
      const [reader] = await shop.client.readersCardAvailable()
      const card = shop.client.card(reader)
      return card.transaction('${application}', ${work}).catch((error) => error.problem ?? error.reason ?? String(error))
    })()`)
  /** Begins a transaction that goes on until something else ends it. */
  const begin = () =>
    tab.read(`(async () => {
      const [reader] = await shop.client.readersCardAvailable()
      const begun = Promise.withResolvers()
      shop.end = Promise.withResolvers()
      shop.ended = shop.client.card(reader).transaction('${aid}', async (card) => {
        await card.transmit(${toArray(read)})
        begun.resolve('begun')
        await shop.end.promise
        return card.transmit(${toArray(read)})
      }).then(() => 'an answer', (error) => error.problem ?? error.reason)
      return Promise.race([begun.promise, shop.ended])
    })()`)
  const isReset = () => becomes(() => trace.at(-1), 'reset')

  test('a page selects its application and sends commands; the card is reset before and after', async () => {
    proves('raw-in-browsers')
    const answer = await transact(`async (card) => [...await card.transmit(${toArray(read)})]`)
    expect(answer).toEqual([1, 2, 3, 4, 0x90, 0x00])
    const at = trace.indexOf(select)
    expect(trace.slice(at - 1)).toEqual(['reset', select, read, 'reset'])
  })

  test('a command with a PIN, and another application, are problems of which the card sees nothing', async () => {
    expect(await transact(`(card) => card.transmit(${toArray(verify)})`)).toBe('command-refused')
    expect(await transact('async () => 0', 'A0000000031010')).toBe('grant-missing')
    expect(trace).not.toContain(verify)
    expect(trace).not.toContain('00A4040007A0000000031010')
  })

  test('a tab that is closed ends its transaction: the card is reset, and the next page gets it', async () => {
    proves('raw-in-browsers', 'raw-session-taken')
    expect(await begin()).toBe('begun')
    expect(trace.at(-1)).toBe(read)
    await tab.close()
    await isReset()
    tab = await desk.browser.open(page.address(desk.connector.registryPort))
    await isReady(tab)
    expect(await transact('async () => "again"')).toBe('again')
  })

  test('a page that is loaded anew ends its transaction', async () => {
    proves('raw-in-browsers')
    expect(await begin()).toBe('begun')
    await tab.reload()
    await isReset()
  })

  test('a consent that is revoked ends the transaction, and its next command is a problem', async () => {
    proves('raw-in-browsers')
    expect(await begin()).toBe('begun')
    await desk.connector.command('consents', 'revoke', page.origin)
    await isReset()
    expect(await tab.read('(shop.end.resolve(), shop.ended)')).toBe('consent-required')
    expect(trace.at(-1)).toBe('reset')
  })
})

const answers: Readonly<Record<string, Uint8Array>> = {
  [select]: Uint8Array.of(0x90, 0x00),
  [read]: Uint8Array.of(1, 2, 3, 4, 0x90, 0x00),
}

/** A command as a page writes it. */
const toArray = (command: string): string =>
  `Uint8Array.from([${[...Buffer.from(command, 'hex')]}])`
