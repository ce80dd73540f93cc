/** PINs that are kept for further signatures: whose they are, and everything that ends them. */
import { beforeEach, expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import type { CardModule } from '../sandbox/card-modules/card-module.ts'
import { findCardModule } from '../sandbox/card-modules/card-modules.ts'
import type { Snapshot } from '../sandbox/readers/readers.ts'
import { createKeptPins, type KeptPins, type KeptPinUser } from './kept-pins.ts'

const origin = 'https://shop.example'
const module = findCardModule('piv') as CardModule
const [key, other] = module.keys as readonly [
  CardModule['keys'][number],
  CardModule['keys'][number],
]
const atr = '3B00'
const card = { module, reader: 'Reader 1', atr, pinpad: false }
const empty = { id: '1', name: 'Reader 1', pinpad: false }
const inserted = { ...empty, card: { atr } }
const user: KeptPinUser = {
  caller: {
    ...{ kind: 'page', origin, consentId: 'first' },
    ...{ label: undefined, expiresAt: Number.POSITIVE_INFINITY },
  },
  ...{ card, key },
}

let granted: boolean
/** The ids of the active consents. */
let consents: string[]
let allowed: string[]
let forgotten: string[]
let publish: (readers: Snapshot['readers']) => void
let changeGrants: () => void
let endConsents: () => void
let changeAllowlist: () => void
let timers: { readonly delayMs: number; readonly act: () => void }[]
let kept: KeptPins
beforeEach(() => {
  granted = true
  consents = ['first']
  allowed = [origin]
  forgotten = []
  timers = []
  kept = createKeptPins(
    {
      readers: {
        snapshot: () => ({ sequence: 1, pcsc: { kind: 'up' }, readers: [inserted] }),
        subscribe(listener) {
          publish = (readers) => listener({ sequence: 2, pcsc: { kind: 'up' }, readers })
          return () => undefined
        },
        ...{ ready: async () => undefined, probe: async () => undefined },
        findLibrary: () => undefined,
        findTokens: async () => undefined,
        ...{ sandboxPid: () => 0, stop: async () => undefined },
      },
      cardAccess: {
        run: () => Promise.reject(new Error('unused')),
        openRaw: () => Promise.reject(new Error('Expected no session')),
        forgetPin: (reader) => void forgotten.push(reader),
      },
      hasGrant: (_origin, grant) => granted && grant === 'bulk',
      onGrants(listener) {
        changeGrants = listener
        return () => undefined
      },
      consents: {
        isActive: (id) => consents.includes(id),
        onEnd(listener) {
          endConsents = () => listener('first')
          return () => undefined
        },
      },
      allowlist: () => allowed,
      onAllowlist(listener) {
        changeAllowlist = listener
        return () => undefined
      },
      findPolicyEnd: () => undefined,
      clock: Date.now,
    },
    {
      after(delayMs, act) {
        const timer = { delayMs, act }
        timers.push(timer)
        return () => {
          timers = timers.filter((one) => one !== timer)
        }
      },
    },
  )
  kept.hold('an id', user)
})

test('a PIN is kept for its page, card and key', () => {
  expect(kept.find(user)).toBe('an id')
  expect(kept.find({ ...user, key: other })).toBeUndefined()
  expect(kept.find({ ...user, card: { ...card, reader: 'Reader 2' } })).toBeUndefined()
  const caller = { ...user.caller, origin: 'https://other.example' }
  expect(kept.find({ ...user, caller })).toBeUndefined()
})

test('each signature keeps it for 60 seconds more', () => {
  proves('user-leaves')
  kept.hold('an id', user)
  expect(timers.map(({ delayMs }) => delayMs)).toEqual([60_000])
  timers[0]?.act()
  expect([kept.find(user), forgotten]).toEqual([undefined, ['Reader 1']])
})

test.each<[string, () => void]>([
  ['the card is taken out', () => publish([empty])],
  ['another card is in the reader', () => publish([{ ...inserted, card: { atr: '3B01' } }])],
  ['the reader is gone', () => publish([])],
  [
    'the grant is withdrawn',
    () => {
      granted = false
      changeGrants()
    },
  ],
  [
    'the consent is revoked',
    () => {
      consents = []
      endConsents()
    },
  ],
  [
    'the consent is revoked and given again before that is reported',
    () => {
      consents = ['second']
      endConsents()
    },
  ],
  [
    'the origin is no longer on the allowlist',
    () => {
      allowed = []
      changeAllowlist()
    },
  ],
  ['the page resets it', () => kept.endOf(origin, 'piv')],
  ['something else wants a PIN of the card', () => kept.end('Reader 1')],
])('it ends when %s', (_, happen) => {
  proves('bulk-reset')
  happen()
  expect([kept.find(user), forgotten, timers]).toEqual([undefined, ['Reader 1'], []])
})

test('it is not used after its consent was revoked and given again, also before that is reported', () => {
  proves('consent-given-again')
  consents = ['second']
  expect(kept.find(user)).toBeUndefined()
  expect(kept.find({ ...user, caller: { ...user.caller, consentId: 'second' } })).toBeUndefined()
})

test('it ends with the consent that it was entered under, also when a signature with a later one has used it', () => {
  proves('consent-given-again')
  consents = ['first', 'second']
  const later = { ...user, caller: { ...user.caller, consentId: 'second' } }
  expect(kept.find(later)).toBe('an id')
  kept.hold('an id', later)
  consents = ['second']
  endConsents()
  expect([kept.find(later), forgotten]).toEqual([undefined, ['Reader 1']])
})

test('it does not end by what others do', () => {
  publish([inserted, { id: '2', name: 'Reader 2', pinpad: false }])
  changeGrants()
  endConsents()
  kept.endOf('https://other.example', 'piv')
  kept.endOf(origin, 'beid')
  kept.end('Reader 2')
  expect([kept.find(user), forgotten]).toEqual(['an id', []])
})
