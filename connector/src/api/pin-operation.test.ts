/** What happens to a PIN between the user and the card, and to a signature whose page may not have it any more. */
import { Problem } from '@cardwire/protocol/problem'
import { expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import type { CardModule } from '../sandbox/card-modules/card-module.ts'
import { findCardModule } from '../sandbox/card-modules/card-modules.ts'
import type { OperationOptions } from '../sandbox/readers/operation-queue.ts'
import type { PinOperation } from './pin-call.ts'
import { createPinOperations } from './pin-operation.ts'

const origin = 'https://shop.example'
const module = findCardModule('piv') as CardModule
const [key] = module.keys as readonly [CardModule['keys'][number]]
const card = { module, reader: 'Reader 1', atr: '3B00', pinpad: true }
const operation = { kind: 'verify', module: 'piv', key: '9A' } as const
const pinOperation: PinOperation = {
  ...{ card, key, act: 'check', wishes: {}, certificate: undefined, triesLeft: 3, pad: false },
}

interface Grants {
  readonly hasGrant: () => boolean
  readonly findKept: () => string | undefined
  readonly hold: () => void
  readonly forgetPin: () => void
  readonly hasConsent: () => boolean
}

const unused = () => () => undefined
/** What was recorded. */
let pauses: string[] = []

/** A connector with a card that answers so, and a user who enters this PIN. */
function openOperations(
  pin: Uint8Array,
  answer: (reader: string, operation: unknown, options: OperationOptions) => Promise<never>,
  {
    hasGrant = () => false,
    findKept = () => undefined,
    hold = unused,
    forgetPin = unused,
    hasConsent = () => true,
  }: Partial<Grants> = {},
  asking: typeof operation = operation,
) {
  const caller = {
    ...{ kind: 'page', origin, consentId: 'a consent' },
    ...{ label: undefined, expiresAt: Number.POSITIVE_INFINITY },
  }
  const { run } = createPinOperations({
    readers: { subscribe: unused },
    cardAccess: { run: answer, forgetPin },
    requestPin: async () => pin,
    usePad: (_request: unknown, act: (signal: AbortSignal) => unknown) =>
      act(new AbortController().signal),
    pinPauses: {
      recordRefusal: (of: string) => void pauses.push(`pause ${of}`),
      forget: (of: string) => void pauses.push(`none ${of}`),
    },
    hasGrant,
    keptPins: { find: findKept, end: unused, hold },
    consents: { isActive: hasConsent, onEnd: unused },
    allowlist: () => [origin],
    onAllowlist: unused,
    findPolicyEnd: () => undefined,
    clock: Date.now,
  } as unknown as Parameters<typeof createPinOperations>[0])
  const context = {
    env: { keepOpen: unused },
    get: () => caller,
    req: { raw: new Request(origin) },
  } as unknown as Parameters<typeof run>[0]
  return (more: Partial<PinOperation> = {}) => run(context, asking, { ...pinOperation, ...more })
}

test.each([
  ['takes it', async () => ({ kind: 'verify' }) as never],
  ['refuses it', () => Promise.reject(new Problem('pin-wrong', 'The PIN is wrong'))],
] as const)('the PIN is overwritten when the card %s', async (_, answer) => {
  proves('pin-in-connector')
  const pin = Buffer.from('123456')
  await openOperations(pin, answer)().catch(() => undefined)
  expect([...pin]).toEqual([0, 0, 0, 0, 0, 0])
})

test('a PIN is overwritten, and not sent, when the page may not have the signature any more', async () => {
  const pin = Buffer.from('123456')
  let sent = 0
  const run = openOperations(pin, async () => {
    sent += 1
    return { kind: 'verify' } as never
  })
  const check = () => {
    throw new Problem('grant-missing', 'Cannot sign')
  }
  await expect(run({ check })).rejects.toThrow('Cannot sign')
  expect([sent, ...pin]).toEqual([0, 0, 0, 0, 0, 0, 0])
})

test('what was signed after a PIN at the pad is not answered when the grant ended meanwhile', async () => {
  let isGranted = true
  const run = openOperations(new Uint8Array(), async () => {
    isGranted = false
    return { kind: 'verify' } as never
  })
  const check = () => {
    if (!isGranted) throw new Problem('grant-missing', 'Cannot sign')
  }
  await expect(run({ pad: true, check })).rejects.toThrow('Cannot sign')
})

test.each([
  ['is held when the grant is there', false, ['held']],
  ['is forgotten when the grant ended while the card signed', true, ['forgotten']],
] as const)('the PIN for several signatures %s', async (_, ends, expected) => {
  proves('kept-pin-misused')
  const events: string[] = []
  let isGranted = true
  const answer = async () => {
    isGranted = !ends
    return { kind: 'verify' } as never
  }
  await openOperations(Buffer.from('123456'), answer, {
    hasGrant: () => isGranted,
    hold: () => void events.push('held'),
    forgetPin: () => void events.push('forgotten'),
  })({ act: 'sign', wishes: { isBulk: true } })
  expect(events).toEqual(expected)
})

test('a kept PIN signs without a question; once it has ended the user is asked', async () => {
  const pins: unknown[] = []
  let isThere = true
  const answer = async (_reader: string, _operation: unknown, { pin }: OperationOptions) => {
    pins.push(pin?.kind === 'sent' ? Buffer.from(pin.bytes).toString() : pin)
    if (pin?.kind === 'kept' && !isThere) throw new Problem('pin-timeout', 'Cannot sign')
    return { kind: 'verify' } as never
  }
  const run = openOperations(Buffer.from('123456'), answer, {
    hasGrant: () => true,
    findKept: () => 'an id',
  })
  await run({ act: 'sign', wishes: { isBulk: true } })
  isThere = false
  await run({ act: 'sign', wishes: { isBulk: true } })
  const kept = { kind: 'kept', id: 'an id' }
  expect(pins).toEqual([kept, kept, '123456'])
})

test('a kept PIN that fails in any other way is not asked for', async () => {
  const answer = () => Promise.reject(new Problem('pin-wrong', 'The PIN is wrong'))
  const run = openOperations(Buffer.from('123456'), answer, {
    hasGrant: () => true,
    findKept: () => 'an id',
  })
  await expect(run({ act: 'sign', wishes: { isBulk: true } })).rejects.toThrow('The PIN is wrong')
})

test.each([
  ['a wrong PIN of a check', 'verify', new Problem('pin-wrong', 'Wrong'), [`pause ${origin}`]],
  ['a wrong PIN of a signature', 'sign', new Problem('pin-wrong', 'Wrong'), []],
  ['a card that does not answer', 'verify', new Problem('card-mute', 'Mute'), []],
  ['a right PIN', 'verify', undefined, [`none ${origin}`]],
] as const)('%s: what the page has to wait for', async (_, kind, error, expected) => {
  proves('pin-window-repeated')
  pauses = []
  const answer = async () => {
    if (error) throw error
    return { kind } as never
  }
  const run = openOperations(Buffer.from('123456'), answer, {}, { ...operation, kind } as never)
  await run().catch(() => undefined)
  expect(pauses).toEqual(expected)
})

const withoutPin = module.keys.find(({ pin }) => pin === undefined) as typeof key
test.each([
  ['of a key without a PIN', { key: withoutPin }],
  ['with a PIN from the window', {}],
  ['with a PIN from the pad', { pad: true }],
  ['with a kept PIN', { wishes: { isBulk: true } }],
] as const)(
  'a signature %s that waits for its turn when the consent of the page ends is not made',
  async (_, more) => {
    proves('consent-given-again')
    let consent = true
    let signed = 0
    const answer = async (_reader: string, _operation: unknown, options: OperationOptions) => {
      consent = false
      options.requireWanted?.()
      signed += 1
      return { kind: 'verify' } as never
    }
    const run = openOperations(Buffer.from('123456'), answer, {
      hasGrant: () => true,
      findKept: () => 'an id',
      hasConsent: () => consent,
    })
    await expect(run({ act: 'sign', ...more })).rejects.toMatchObject({ name: 'consent-required' })
    expect(signed).toBe(0)
  },
)
