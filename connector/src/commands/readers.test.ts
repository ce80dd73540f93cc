/** What `cardwire readers --watch` tells of each change. */
import { expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { formatChanges, type ReadersView } from './readers.ts'

const atr = '3B9813400AA503010101AD1311'
const reader = { id: '0123456789abcdef', name: 'A', pinpad: false }
const card = { atr, description: ['Belgium (ID card)'], modules: [] }
const up = { kind: 'up' } as const
const down = { kind: 'down', code: 'SCARD_E_NO_SERVICE', reason: 'It does not run' } as const
const createView = (
  pcsc: ReadersView['pcsc'],
  ...readers: ReadersView['readers']
): ReadersView => ({
  pcsc,
  readers,
})

test('an inserted card is shown with its description', () => {
  expect(formatChanges(createView(up, reader), createView(up, { ...reader, card }))).toEqual([
    'card inserted  A: 3B 98 13 40 0A A5 03 01 01 01 AD 13 11\n       Belgium (ID card)',
  ])
})

test('a reader that is removed with its card is shown without the card', () => {
  expect(formatChanges(createView(up, { ...reader, card }), createView(up))).toEqual([
    'reader removed  A',
  ])
})

test('a card service that stops is reported once with the reason, and once when it is back', () => {
  const gone = formatChanges(createView(up, { ...reader, card }), createView(down))
  expect(gone).toEqual(['the smart card service stopped: It does not run', 'reader removed  A'])
  expect(
    formatChanges(createView(down), createView({ ...down, reason: 'It is starting' })),
  ).toEqual([])
  expect(formatChanges(createView(down), createView(up, reader))).toEqual([
    'the smart card service is back',
    'reader added  A',
  ])
})

test('a reason of the card service stays in its line', () => {
  proves('foreign-line')
  const down = {
    kind: 'down',
    code: 'SCARD_F_COMM_ERROR',
    reason: 'lost\nreader inserted  Mine',
  } as const
  const up = { pcsc: { kind: 'up' }, readers: [] } as const
  expect(formatChanges(up, { pcsc: down, readers: [] })).toEqual([
    'the smart card service stopped: lost\\u000areader inserted  Mine',
  ])
})
