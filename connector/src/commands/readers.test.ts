/** What `cardwire readers --watch` tells of each change. */
import { expect, test } from 'vitest'
import { changeLines, type Seen } from './readers.ts'

const atr = '3B9813400AA503010101AD1311'
const reader = { id: '0123456789abcdef', name: 'A', pinpad: false }
const card = { atr, description: ['Belgium (ID card)'], modules: [] }
const up = { kind: 'up' } as const
const down = { kind: 'down', code: 'SCARD_E_NO_SERVICE', reason: 'It does not run' } as const
const seen = (pcsc: Seen['pcsc'], ...readers: Seen['readers']): Seen => ({ pcsc, readers })

test('a card that comes is told with what it is', () => {
  expect(changeLines(seen(up, reader), seen(up, { ...reader, card }))).toEqual([
    'card inserted  A: 3B 98 13 40 0A A5 03 01 01 01 AD 13 11\n       Belgium (ID card)',
  ])
})

test('a reader that goes with its card in it is told without the card', () => {
  expect(changeLines(seen(up, { ...reader, card }), seen(up))).toEqual(['reader removed  A'])
})

test('a card service that goes is told once with the reason, and once when it is back', () => {
  const gone = changeLines(seen(up, { ...reader, card }), seen(down))
  expect(gone).toEqual(['the card service has gone: It does not run', 'reader removed  A'])
  expect(changeLines(seen(down), seen({ ...down, reason: 'It is starting' }))).toEqual([])
  expect(changeLines(seen(down), seen(up, reader))).toEqual([
    'the card service is back',
    'reader added  A',
  ])
})
