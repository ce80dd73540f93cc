/** Where a PIN comes from: kept, from the page, from the reader's own pad, or from our window. */
import { Problem } from '@cardwire/protocol/problem'
import { beforeEach, expect, test } from 'vitest'
import type { CardModule } from '../sandbox/card-modules/card-module.ts'
import { findCardModule } from '../sandbox/card-modules/card-modules.ts'
import { createPinSources, type PinNeed, type PinSources } from './pin-source.ts'

const origin = 'https://shop.example'
const module = findCardModule('piv') as CardModule
const [key] = module.keys as readonly [CardModule['keys'][number]]
const card = { module, reader: 'Reader 1', atr: '3B00', pinpad: true }
const token = { label: undefined, expiresAt: Number.POSITIVE_INFINITY }
const page = { kind: 'page', origin, consentId: 'a consent', ...token } as const
const need: PinNeed = {
  ...{ caller: page, card, key, act: 'sign', pageText: undefined },
  ...{ isBulk: false, triesLeft: 3, pad: false },
}

let grants: readonly string[]
let keptId: string | undefined
let ended: string[]
let hasPads: boolean
let sources: PinSources
beforeEach(() => {
  grants = ['bulk', 'page-pin']
  keptId = undefined
  ended = []
  hasPads = true
  sources = open()
})
const unused = () => () => undefined
const open = () =>
  createPinSources({
    readers: { subscribe: unused },
    usePad: hasPads ? async () => undefined : undefined,
    hasGrant: (_origin: string, grant: string) => grants.includes(grant),
    deviceEncryptionKey: { decrypt: () => new Uint8Array(256) },
    keptPins: { find: () => keptId, end: (reader: string) => void ended.push(reader) },
  } as unknown as Parameters<typeof createPinSources>[0])
const choose = (changes: Partial<PinNeed> = {}) => sources.choose({ ...need, ...changes })

test.each<[string, Partial<PinNeed>, string]>([
  ['in our window', {}, 'window'],
  ['at the pad, where the reader has one', { pad: true }, 'pad'],
  ['from the page that sends one', { pageText: '123456' }, 'page'],
  ['from the page rather than at the pad', { pageText: '123456', pad: true }, 'page'],
  [
    'in our window for a program',
    { caller: { kind: 'program', ...token }, pageText: '1' },
    'window',
  ],
])('a PIN comes %s, and what was kept ends', (_, changes, kind) => {
  expect([choose(changes).kind, ended]).toEqual([kind, ['Reader 1']])
})

test('a PIN comes in our window when pads are not used, or the page has no grant for its PIN', () => {
  hasPads = false
  grants = []
  sources = open()
  expect(choose({ pad: true, pageText: '123456' })).toEqual({ kind: 'window', keepFor: undefined })
})

test('a kept PIN comes before every other, and does not end', () => {
  keptId = 'an id'
  const source = choose({ isBulk: true, pageText: '123456', pad: true })
  expect(source).toEqual({ kind: 'kept', id: 'an id', user: { caller: page, card, key } })
  expect(ended).toEqual([])
})

test('a PIN that the page sends is not looked at while one is kept', () => {
  keptId = 'an id'
  expect(choose({ isBulk: true, pageText: 'no PIN' }).kind).toBe('kept')
  keptId = undefined
  expect(() => choose({ isBulk: true, pageText: 'no PIN' })).toThrow(Problem)
})

test.each<[string, Partial<PinNeed>, readonly string[]]>([
  ['does not ask for it', {}, ['bulk']],
  ['only checks the PIN', { isBulk: true, act: 'check' }, ['bulk']],
  ['authenticates', { isBulk: true, act: 'authenticate' }, ['bulk']],
  ['has no grant', { isBulk: true }, ['page-pin']],
  ['is a program', { isBulk: true, caller: { kind: 'program', ...token } }, ['bulk']],
])('a PIN is neither kept nor used again for a caller that %s', (_, changes, granted) => {
  grants = granted
  keptId = 'an id'
  expect([choose(changes), ended]).toEqual([{ kind: 'window', keepFor: undefined }, ['Reader 1']])
})

test('a PIN may be kept until the grant ends', () => {
  const source = choose({ isBulk: true })
  const keepFor = source.kind === 'window' ? source.keepFor : undefined
  expect(keepFor).toEqual({ caller: page, card, key })
  expect(sources.mayKeep(keepFor)).toBe(true)
  grants = []
  expect(sources.mayKeep(keepFor)).toBe(false)
})
