/** The life of signing keys, at moments around each of its turns. */
import { expect, test } from 'vitest'
import { getKeyStates, type KeyTimes, standbySignsFrom } from './key-states.ts'

const overlapMs = 100

const first: KeyTimes = { id: 'first', signsFrom: 1000 }
const second: KeyTimes = { id: 'second', signsFrom: 2000 }
const third: KeyTimes = { id: 'third', signsFrom: 2050 }

test.each([
  { when: 'by a clock that is behind', keys: [first], now: 999, states: ['signing'] },
  { when: 'the moment the only key begins', keys: [first], now: 1000, states: ['signing'] },
  { when: 'long after the only key began', keys: [first], now: 1e12, states: ['signing'] },
  {
    when: 'while a successor is announced',
    keys: [first, second],
    now: 1999,
    states: ['signing', 'announced'],
  },
  {
    when: 'the moment the successor begins',
    keys: [first, second],
    now: 2000,
    states: ['retiring', 'signing'],
  },
  {
    when: 'at the last moment of the overlap',
    keys: [first, second],
    now: 2099,
    states: ['retiring', 'signing'],
  },
  {
    when: 'the moment the overlap is over',
    keys: [first, second],
    now: 2100,
    states: ['gone', 'signing'],
  },
  {
    when: 'with a key announced while its forerunner is',
    keys: [first, second, third],
    now: 1500,
    states: ['signing', 'announced', 'announced'],
  },
  {
    when: 'with two retiring keys, each counted from its own successor',
    keys: [first, second, third],
    now: 2099,
    states: ['retiring', 'retiring', 'signing'],
  },
  {
    when: 'when the older of two retiring keys is through',
    keys: [first, second, third],
    now: 2100,
    states: ['gone', 'retiring', 'signing'],
  },
  {
    when: 'with a key standing by behind one that is announced',
    keys: [first, second, { id: 'reserve', signsFrom: standbySignsFrom }],
    now: 1500,
    states: ['signing', 'announced', 'standby'],
  },
  {
    when: 'with a key standing by, the one before it goes on signing',
    keys: [first, { id: 'reserve', signsFrom: standbySignsFrom }],
    now: 1e12,
    states: ['signing', 'standby'],
  },
  {
    when: 'with two keys that begin at once, the later of the list signs',
    keys: [first, { id: 'twin', signsFrom: 1000 }],
    now: 1000,
    states: ['retiring', 'signing'],
  },
])('getKeyStates $when', ({ keys, now, states }) => {
  const expected = keys.map(({ id }, at) => [id, states[at]])

  expect([...getKeyStates(keys, now, overlapMs)]).toEqual(expected)
})

test('getKeyStates does not depend on the order of the keys', () => {
  const states = getKeyStates([third, first, second], 2060, overlapMs)

  expect(Object.fromEntries(states)).toEqual({
    first: 'retiring',
    second: 'retiring',
    third: 'signing',
  })
})

test('getKeyStates is empty without keys', () => {
  expect(getKeyStates([], 1000, overlapMs).size).toBe(0)
})
