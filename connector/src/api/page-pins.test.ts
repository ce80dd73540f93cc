/** PINs of pages: whose are used, and that none is sent a second time after a card has refused it. */
import { Problem } from '@cardwire/protocol/problem'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import type { Caller } from '../http/route-types.ts'
import type { CardModule } from '../sandbox/card-modules/card-module.ts'
import { findCardModule } from '../sandbox/card-modules/card-modules.ts'
import type { Snapshot } from '../sandbox/readers/readers.ts'
import { createPagePins } from './page-pins.ts'

const origin = 'https://shop.example'
const token = { label: undefined, expiresAt: Number.POSITIVE_INFINITY }
const caller: Caller = { kind: 'page', origin, consentId: 'a consent', ...token }
const module = findCardModule('piv') as CardModule
const [key] = module.keys as readonly [CardModule['keys'][number]]
const card = { module, reader: 'Reader 1', atr: '3B00', pinpad: false }
const atr = '3B00'
const empty = { id: '1', name: 'Reader 1', pinpad: false }
const inserted = { ...empty, card: { atr } }

let granted: boolean
let publish: (snapshot: Snapshot) => void
let take: ReturnType<typeof createPagePins>
beforeEach(() => {
  granted = true
  take = createPagePins({
    hasGrant: (_origin, grant) => granted && grant === 'page-pin',
    readers: {
      ...{ snapshot: () => snapshot([inserted]), ready: async () => undefined },
      subscribe(listener) {
        publish = listener
        return () => undefined
      },
      ...{ probe: async () => undefined, sandboxPid: () => 0, stop: async () => undefined },
      findLibrary: () => undefined,
      findTokens: async () => undefined,
    },
    deviceEncryptionKey: {
      ...{ publicKey: '', certificate: '', fingerprint: '', sign: () => '' },
      decrypt: () => new Uint8Array(256),
    },
  })
})
const snapshot = (readers: Snapshot['readers']): Snapshot => ({
  ...{ sequence: 1, pcsc: { kind: 'up' } },
  readers,
})
const ask = (text: string | null | undefined, from: Caller = caller) =>
  take({ caller: from, card, key, text, triesLeft: 2 })
const wrong = new Problem('pin-wrong', 'The PIN is wrong')

test('the PIN of a page with the grant is used; of another page, of a program, and none, the user is asked', () => {
  proves('page-blocks-card')
  expect(Buffer.from(ask('123456')?.pin ?? []).toString()).toBe('123456')
  expect(ask('')).toBeUndefined()
  expect(ask(null)).toBeUndefined()
  expect(ask('123456', { kind: 'program', ...token })).toBeUndefined()
  granted = false
  expect(ask('654321')).toBeUndefined()
})

test('a PIN that the card takes in no form, and a ciphertext that is none, are the same problem', () => {
  const texts = [
    '12a4',
    Buffer.alloc(256, 7).toString('base64'),
    Buffer.alloc(255).toString('base64'),
  ]
  const problems = texts.map((text) => {
    try {
      return ask(text)
    } catch (error) {
      return error
    }
  })
  expect(new Set(problems.map(String)).size).toBe(1)
  expect(problems[0]).toMatchObject({ name: 'pin-invalid' })
})

test.each(['pin-wrong', 'pin-blocked', 'pin-invalid'] as const)(
  'a PIN that failed as %s is not sent again, in no form, until the card is taken out',
  (name) => {
    proves('page-pin-not-repeated')
    ask('123456')?.settle(new Problem(name, 'no'))
    const encoded = Buffer.from('123456').toString('base64')
    for (const text of ['123456', encoded]) {
      expect(() => ask(text)).toThrow(
        expect.objectContaining({ name: 'pin-wrong', extras: { triesLeft: 2 } }),
      )
    }
    publish(snapshot([inserted]))
    expect(() => ask('123456')).toThrow('the card rejected this PIN')
    expect(ask('111111')).toBeDefined()
    publish(snapshot([empty]))
    expect(ask('123456')).toBeDefined()
  },
)

test('a PIN that is being sent is not sent a second time beside it, and one that was right is sent again', () => {
  const first = ask('123456')
  expect(() => ask('123456')).toThrow(expect.objectContaining({ name: 'pin-busy' }))
  first?.settle()
  ask('123456')?.settle(new Problem('card-mute', 'The card is not responding'))
  expect(ask('123456')).toBeDefined()
})

test('after a hundred PINs that failed none is sent any more', () => {
  proves('page-blocks-card')
  for (let pin = 100_000; pin < 100_100; pin += 1) ask(String(pin))?.settle(wrong)
  expect(() => ask('123456')).toThrow(expect.objectContaining({ name: 'pin-wrong' }))
})

test('a PIN that is not sent a second time is overwritten', () => {
  ask('123456')
  const set = vi.spyOn(Uint8Array.prototype, 'set')
  onTestFinished(() => void set.mockRestore())
  expect(() => ask('123456')).toThrow(Problem)
  const pins = set.mock.contexts as readonly Uint8Array[]
  expect(pins.map(({ length }) => length)).toContain(6)
  expect(pins.every((pin) => pin.every((byte) => byte === 0))).toBe(true)
})

test('a PIN that an OpenPGP card refused under one reference is not sent under the other', () => {
  proves('page-pin-not-repeated')
  const cards = findCardModule('openpgp') as CardModule
  const send = (key: CardModule['keys'][number]) =>
    take({ caller, card: { ...card, module: cards }, key, text: '123456', triesLeft: 2 })
  const [signature, authentication] = cards.keys as readonly [typeof key, typeof key]
  send(signature)?.settle(wrong)
  expect(() => send(authentication)).toThrow('the card rejected this PIN')
})
