/** Which batches of a device are taken within the limit of a day. */
import type { CounterBatch } from '@cardwire/protocol'
import { expect, test } from 'vitest'
import { takeBatches } from './count-batches.ts'

const entry = {
  label: 'shop',
  module: 'eid',
  useCase: 'print',
  day: '2026-01-01',
  count: 1,
} as const
const batch = (id: string, length: number): CounterBatch => ({
  id,
  entries: Array.from({ length }, () => entry),
})

test.each([
  ['nothing left takes none', 0, [], ['a']],
  ['room for the first takes it', 2, ['a'], ['a', 'b']],
  ['a batch that was counted costs nothing', 0, ['SEEN'], ['SEEN', 'a']],
  ['a batch sent twice costs once', 2, ['a', 'A'], ['a', 'A', 'b']],
])('%s', (_, left, taken, sent) => {
  const batches = sent.map((id) => batch(id, 2))
  const { acknowledged } = takeBatches(batches, new Set(['seen']), left)
  expect(acknowledged.map(({ id }) => id)).toEqual(taken)
})
