/** A PIN that a card process keeps: for how long, how many signatures, and what ends it. */
import { beforeEach, expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import type { CardOperation, CardRequest } from '../system/ipc/card-messages.ts'
import { CardError } from './card-modules/card-error.ts'
import { createKeptPin, type KeptPin } from './kept-pin.ts'
import { createRequestRunner } from './run-request.ts'

let now: number
let wall: number
let kept: KeptPin
/** The PINs that were sent, as they were then. */
let sent: string[]
let failure: CardError | undefined
let run: ReturnType<typeof createRequestRunner>
beforeEach(() => {
  now = 0
  wall = 1_000_000
  sent = []
  failure = undefined
  kept = createKeptPin({ monotonic: () => now, wall: () => wall })
  run = createRequestRunner((_request, pin) => {
    sent.push(Buffer.from(pin).toString())
    if (failure) throw failure
    return { kind: 'verify' }
  }, kept)
})

const signing = (changes: Partial<Extract<CardOperation, { kind: 'sign' }>> = {}) => ({
  ...({ kind: 'sign', module: 'piv', key: '9C', certificate: 'c' } as const),
  hash: 'sha256' as const,
  digests: ['d'],
  ...changes,
})
const request = (kept?: CardRequest['kept'], operation: CardOperation = signing()) => ({
  ...{ reader: 'a reader', timeoutMs: 1000, operation },
  ...(kept && { kept }),
})
const begin = (id = 'a', operation?: CardOperation) =>
  run(request({ id, use: 'begin' }, operation), Buffer.from('123456'))
const again = (id = 'a', operation?: CardOperation) =>
  run(request({ id, use: 'again' }, operation), new Uint8Array())
const pass = (ms: number) => {
  now += ms
  wall += ms
}

test('a PIN that is kept is sent with each further signature, though its first buffer is overwritten', () => {
  const first = Buffer.from('123456')
  run(request({ id: 'a', use: 'begin' }), first)
  first.fill(0)
  again()
  again()
  expect(sent).toEqual(['123456', '123456', '123456'])
})

test('it is kept for 60 seconds after the last signature', () => {
  proves('bulk-grant')
  begin()
  for (let times = 0; times < 5; times += 1) {
    pass(60_000)
    again()
  }
  pass(60_001)
  expect(() => again()).toThrow('no longer kept')
  pass(-60_000)
  expect(() => again()).toThrow('no longer kept')
  expect(sent).toHaveLength(6)
})

test.each([
  ['the machine slept for longer', 0, 61_000],
  ['the clock was set back', 1000, -5000],
])('it is forgotten when %s', (_, ran, passed) => {
  proves('user-leaves')
  begin()
  now += ran
  wall += passed
  expect(() => again()).toThrow('no longer kept')
})

test('it makes a hundred signatures, the first among them', () => {
  proves('bulk-grant')
  begin()
  for (let times = 1; times < 100; times += 1) again()
  expect(() => again()).toThrow('no longer kept')
  expect(sent).toHaveLength(100)
})

test.each<[string, string, CardOperation]>([
  ['another id', 'b', signing()],
  ['another key', 'a', signing({ key: '9A' })],
  ['another module', 'a', signing({ module: 'beid' })],
  ['another card', 'a', signing({ certificate: 'd' })],
  ['a check of the PIN', 'a', { kind: 'verify', module: 'piv', key: '9C' }],
])('%s gets no PIN, and nobody does from then on', (_, id, operation) => {
  proves('kept-pin-misused')
  begin()
  expect(() => again(id, operation)).toThrow('no longer kept')
  expect(() => again()).toThrow('no longer kept')
  expect(sent).toHaveLength(1)
})

test('another signature or check with a PIN ends it, a certificate does not', () => {
  begin()
  run(request(undefined, { kind: 'certificates', module: 'piv' }), new Uint8Array())
  again()
  run(request(), Buffer.from('999999'))
  expect(() => again()).toThrow('no longer kept')
})

test('a PIN that fails is not kept, and one that is kept is sent once when it fails', () => {
  failure = new CardError('pin-wrong', 'The PIN is wrong')
  expect(() => begin()).toThrow('wrong')
  expect(() => again()).toThrow('no longer kept')
  failure = undefined
  begin()
  failure = new CardError('pin-wrong', 'The PIN is wrong')
  expect(() => again()).toThrow('wrong')
  expect(() => again()).toThrow('no longer kept')
  expect(sent).toHaveLength(3)
})

test('a PIN that is forgotten is overwritten', () => {
  proves('kept-pin-misused')
  begin()
  const pin = kept.take('a', signing())
  expect(Buffer.from(pin).toString()).toBe('123456')
  kept.forget()
  expect([...pin]).toEqual([0, 0, 0, 0, 0, 0])
})
