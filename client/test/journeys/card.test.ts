/** A card as the system's card service sees it: pcscd, with a reader that is virtual, and a page that watches. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cardPorts, type Pcscd, readerNames, startPcscd } from '../../../test/bed/pcscd.ts'
import { proves } from '../../../test/bed/proves.ts'
import { insertCard } from '../../../test/bed/virtual-card.ts'
import { browsersOf, openUserSession, readReaders, type UserSession } from './user-session.ts'
import { becomes } from './wait.ts'

const atr = '3B951381018073FF01000B'

let pcscd: Pcscd
// Whoever has the machine's only pcscd may need it for minutes.
beforeAll(async () => {
  pcscd = await startPcscd()
})
afterAll(() => pcscd?.close())

describe.each(browsersOf('card'))('%s', (name, openBrowser) => {
  let desk: UserSession
  beforeAll(async () => {
    // No file that stands for a card: the card service of the system.
    desk = await openUserSession(openBrowser, { CARDWIRE_VIRTUAL_READER: '' })
  })
  afterAll(() => desk?.close())

  test('a page that watches shows a card that is inserted and removed', async () => {
    proves('journey-card-watched')
    const { tab } = await desk.visit()
    const card = async () => {
      const text = String(await readReaders(tab))
      return new RegExp(`${readerNames[0]}: (no card|[0-9A-F]+)`).exec(text)?.[1]
    }
    await becomes(card, 'no card')
    const begun = Date.now()
    const inserted = await insertCard(cardPorts[0], { atr })
    await becomes(card, atr)
    const insertedMs = Date.now() - begun
    await inserted.remove()
    await becomes(card, 'no card')
    process.stderr.write(`${name}: a card is in the page ${insertedMs} ms after its insertion\n`)
    expect(await tab.read('shop.changes.filter((type) => type.startsWith("card-"))')).toEqual([
      'card-inserted',
      'card-removed',
    ])
    await tab.close()
  })
})
