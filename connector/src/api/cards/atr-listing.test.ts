/** The listing of known cards, by the list and the modules. */
import { expect, test } from 'vitest'
import { proves } from '../../../../test/bed/proves.ts'
import { createModules } from '../modules/modules.ts'
import { parseAtrList } from './atr-list.ts'
import { createAtrListing } from './atr-listing.ts'

const text = '3B 01\n\tA card\n\thttps://card.example\n\n3B 0[2,3] .*\n\tSome cards\n'
const eid = {
  id: 'eid',
  version: '1.0.0',
  describe: ({ atr }: { atr?: string }) =>
    atr === '3B01'
      ? { description: 'Reads it', systems: ['linux' as const], cards: true }
      : undefined,
}

test('list has each ATR and pattern with its descriptions and its module', async () => {
  proves('known-cards-listed')
  const loaded = Promise.resolve({ list: parseAtrList(text), path: undefined })
  const atrs = createAtrListing(loaded, createModules([eid], 'linux'))

  expect(await atrs.list()).toEqual([
    {
      atr: '3B01',
      description: ['A card', 'https://card.example'],
      module: 'eid',
      moduleDescription: 'Reads it',
    },
    { atr: '3B0[2,3].*', description: ['Some cards'], module: '', moduleDescription: '' },
  ])
  expect(await atrs.list()).toBe(await atrs.list())
})
