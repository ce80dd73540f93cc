/** Words for cards in a form: whatever is valid comes back as it was. */
import { createHash } from 'node:crypto'
import { CardSettings, Grant, Platform } from '@cardwire/protocol'
import { describe, expect, test } from 'vitest'
import { proves } from '../../../../test/bed/proves.ts'
import { parseForm } from '../frame/form.ts'
import { readCardRows, toCardRows, toCards, toTypedCards } from './card-rows.ts'

const forms = 300

/** As a browser sends the form of these words, and as the service reads it. */
function sendThroughForm(cards: CardSettings): unknown {
  const fields = toTypedCards(toCardRows(cards)).map(([name, value]): [string, string] => [
    name,
    // Line ends of a text of several lines (HTML, form submission).
    value.replaceAll('\n', '\r\n'),
  ])
  const form = parseForm(new URLSearchParams(fields).toString())
  return CardSettings.parse(toCards(readCardRows(form)))
}

/** A whole number from 0 to `most`. */
type Draw = (most: number) => number

/** The same seed gives the same numbers. */
function createDraw(seed: number): Draw {
  let drawn = 0
  return (most) => {
    drawn += 1
    return createHash('sha256').update(`${seed} ${drawn}`).digest().readUInt32BE() % (most + 1)
  }
}

const list = <T>(length: number, create: () => T): T[] => Array.from({ length }, create)
const pick = <T>(draw: Draw, items: readonly T[]): T => items[draw(items.length - 1)] as T
const hex = (draw: Draw, bytes: number) =>
  Buffer.from(list(bytes, () => draw(255)))
    .toString('hex')
    .toUpperCase()

const letters = [...'aZ9é漢&=+%2F"<>;,: ', 'e\u0301', '👩‍👧', '\u00a0', '\u202e']
const name = (draw: Draw) => `a${list(draw(8), () => pick(draw, letters)).join('')}b`
const fileName = (draw: Draw) => name(draw).replaceAll(':', '')
const path = (draw: Draw) => [`/${fileName(draw)}/b`, `C:\\${fileName(draw)}`]

const createCards = (draw: Draw): CardSettings => {
  const origin = () => `https://${hex(draw, 3).toLowerCase()}.example`
  return {
    grants: list(draw(3), () => ({
      origin: origin(),
      allow: Grant.options.filter(() => draw(1) > 0),
      ...(draw(1) > 0 && { aids: list(1 + draw(3), () => hex(draw, 5 + draw(11))) }),
    })),
    libraries: list(draw(3), () => {
      const os = pick(draw, Platform.options)
      const [unix = '', windows = ''] = path(draw)
      return {
        os,
        path: os.startsWith('WIN') ? windows : unix,
        sha256: hex(draw, 32).toLowerCase(),
        atrs: list(draw(3), () => hex(draw, 2 + draw(31))),
        ...(draw(1) > 0 && { ownReaders: true }),
      }
    }),
    folders: list(draw(3), () => ({
      origin: origin(),
      entity: name(draw),
      type: name(draw),
      path: pick(draw, path(draw)),
    })),
  }
}

describe('rows of words for cards', () => {
  test(`${forms} words for cards come back from their form as they were`, () => {
    proves('card-settings-form')
    for (let seed = 1; seed <= forms; seed += 1) {
      const cards = createCards(createDraw(seed))
      expect(CardSettings.parse(cards)).toEqual(cards)
      expect(sendThroughForm(cards), `seed ${seed}`).toEqual(cards)
    }
  })

  test('an empty list of applications is the same as none', () => {
    const grant = { origin: 'https://a.example', allow: ['raw' as const] }
    const cards = { grants: [grant], libraries: [], folders: [] }
    expect(sendThroughForm({ ...cards, grants: [{ ...grant, aids: [] }] })).toEqual(cards)
  })
})
