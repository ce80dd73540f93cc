import { expect, test } from 'vitest'
import { type CopiedConsumer, planCopy, type WorkingKey } from './mirror.ts'

const name = 'shop:application:till'
const own = (...keys: readonly WorkingKey[]) => ({
  consumer: { kind: 'application', id: 'till' } as const,
  keys,
})
const key = (id: string, changes: object = {}) => ({
  ...{ id, key: `text of ${id}`, expiresAt: undefined },
  ...changes,
})
const copied = (...keys: CopiedConsumer['keys']) => ({ keys, isComplete: true })

test.each([
  ['nothing here and there', undefined, undefined, []],
  ['all is there', own(key('a')), copied(key('a')), []],
  ['a gateway that shows no keys', own(key('a')), copied(key('a', { key: undefined })), []],
  ['a removed consumer', undefined, copied(key('a')), ['remove-consumer']],
  ['a new consumer', own(key('a')), undefined, ['add-consumer', 'add-key a']],
  ['a changed consumer', own(), { ...copied(), isComplete: false }, ['add-consumer']],
  ['a lost key', own(key('a'), key('b')), copied(key('a')), ['add-key b']],
  ['a replaced key', own(key('b')), copied(key('a')), ['remove-key a', 'add-key b']],
  ['a revoked key', own(), copied(key('a')), ['remove-key a']],
  ['a changed key', own(key('a')), copied(key('a', { key: 'other' })), ['replace-key a']],
  ['a key of before', own(key('a', { key: undefined })), copied(), ['missing-key a']],
  ['the same, which is there', own(key('a', { key: undefined })), copied(key('a')), []],
  ['an end that is new', own(key('a', { expiresAt: 9e6 })), copied(key('a')), ['replace-key a']],
  [
    'an end that is there',
    own(key('a', { expiresAt: 9e6 })),
    copied(key('a', { expiresAt: 9e6 - 59_000 })),
    [],
  ],
  [
    'a later end',
    own(key('a', { expiresAt: 9e6 })),
    copied(key('a', { expiresAt: 9e6 + 61_000 })),
    ['replace-key a'],
  ],
  [
    'an end of a key of before',
    own(key('a', { key: undefined, expiresAt: 9e6 })),
    copied(key('a')),
    ['remove-key a'],
  ],
  ['an end that is over', own(key('a')), copied(key('a', { expiresAt: 9e6 })), ['replace-key a']],
] as const)('planCopy for %s', (_, wanted, found, steps) => {
  expect(
    planCopy(name, wanted, found).map((step) =>
      [step.kind, ...(step.key ? [step.key.id] : [])].join(' '),
    ),
  ).toEqual(steps)
})
