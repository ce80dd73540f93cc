/** What changed between two states of the readers. */
import type { Reader } from '@cardwire/protocol/reader'
import { expect, test } from 'vitest'
import { diffReaders } from './diff-readers.ts'

const reader = (id: string, atr?: string): Reader => ({
  id,
  name: `Reader ${id}`,
  pinpad: false,
  ...(atr !== undefined && { card: { atr, description: [], modules: [] } }),
})

test.each([
  ['nothing', [reader('a')], [reader('a')], []],
  ['a reader comes', [], [reader('a')], ['reader-added a']],
  ['a reader comes with a card in it', [], [reader('a', '3B')], ['reader-added a']],
  ['a reader goes', [reader('a', '3B')], [], ['reader-removed a']],
  ['a card comes', [reader('a')], [reader('a', '3B')], ['card-inserted a']],
  ['a card goes', [reader('a', '3B')], [reader('a')], ['card-removed a']],
  [
    'a card is swapped',
    [reader('a', '3B')],
    [reader('a', '3F')],
    ['card-removed a', 'card-inserted a'],
  ],
  ['readers are swapped', [reader('a')], [reader('b')], ['reader-removed a', 'reader-added b']],
  ['only the order', [reader('a'), reader('b')], [reader('b'), reader('a')], []],
])('changesBetween tells when %s', (_, before, after, expected) => {
  const changes = diffReaders(before, after, 7)
  expect(changes.map((change) => `${change.type} ${change.reader.id}`)).toEqual(expected)
  for (const change of changes) expect(change.sequence).toBe(7)
})

test('card-removed shows the reader without its card, card-inserted with the new one', () => {
  const [removed, inserted] = diffReaders([reader('a', '3B')], [reader('a', '3F')], 1)
  expect(removed?.reader).not.toHaveProperty('card')
  expect(inserted?.reader.card?.atr).toBe('3F')
})
