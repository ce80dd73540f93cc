/** Cards by their ATR, while the list is loading and afterwards. */
import { expect, test } from 'vitest'
import { proves } from '../../../../test/bed/proves.ts'
import { createModules } from '../modules/modules.ts'
import { type AtrList, parseAtrList } from './atr-list.ts'
import { createCards } from './cards.ts'

const none = createModules([], 'linux')

test('describe knows nothing before the list is loaded, and everything from then on', () => {
  let list: AtrList | undefined
  const cards = createCards(() => list, none)

  const before = cards.describe('3B00')
  list = parseAtrList('3B 00\n\tA card')

  expect([before, cards.describe('3B00')]).toEqual([[], ['A card']])
})

test('describe asks the list once for each card', () => {
  let calls = 0
  const list = {
    size: 1,
    skipped: 0,
    describe: () => [`call ${++calls}`],
    entries: () => [],
  }
  const cards = createCards(() => list, none)

  expect([cards.describe('3B00'), cards.describe('3B00')]).toEqual([['call 1'], ['call 1']])
})

test('describe forgets earlier results before it remembers too many', () => {
  let calls = 0
  const list = {
    size: 1,
    skipped: 0,
    describe: () => [`call ${++calls}`],
    entries: () => [],
  }
  const cards = createCards(() => list, none)
  const atrs = Array.from({ length: 500 }, (_, at) => `3B${at}`)

  for (const atr of atrs) cards.describe(atr)

  expect(cards.describe('3B0')).toEqual(['call 501'])
})

test('modulesFor answers with the modules that handle the card', () => {
  proves('card-module-field')
  const shown = { description: 'Eid', systems: ['linux' as const], cards: true }
  const eid = {
    id: 'eid',
    version: '1.0.0',
    describe: ({ atr }: { atr?: string }) => (atr === '3B00' ? shown : undefined),
  }
  const cards = createCards(() => undefined, createModules([eid], 'linux'))

  expect([cards.modulesFor('3b00'), cards.modulesFor('3B01')]).toEqual([['eid'], []])
})
