/** A card as the system's card service sees it: pcscd, with a reader that is virtual, and a page that watches. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { browsers, type Desk, newDesk, readersOf } from './desk.ts'
import { insertCard, readerName, startPcscd } from './pcscd.ts'
import { becomes } from './wait.ts'

const atr = '3B951381018073FF01000B'

let stopPcscd: () => Promise<void>
// Whoever has the machine's only pcscd may need it for minutes.
beforeAll(async () => {
  stopPcscd = await startPcscd()
}, 600_000)
afterAll(() => stopPcscd?.())

describe.each(browsers)('%s', (name, openBrowser) => {
  let desk: Desk
  beforeAll(async () => {
    // No file that stands for a card: the card service of the system.
    desk = await newDesk(openBrowser, { CARDWIRE_VIRTUAL_READER: '' })
  })
  afterAll(() => desk?.close())

  test('card inserted and removed while the page watches', async () => {
    const { tab } = await desk.visit()
    const card = async () => {
      const text = String(await readersOf(tab))
      return new RegExp(`${readerName}: (no card|[0-9A-F]+)`).exec(text)?.[1]
    }
    await becomes(card, 'no card')
    const begun = Date.now()
    const remove = await insertCard(atr)
    await becomes(card, atr)
    const insertedMs = Date.now() - begun
    await remove()
    await becomes(card, 'no card')
    process.stderr.write(`${name}: a card is in the page ${insertedMs} ms after its insertion\n`)
    expect(await tab.read('shop.changes.filter((type) => type.startsWith("card-"))')).toEqual([
      'card-inserted',
      'card-removed',
    ])
    await tab.close()
  })
})
