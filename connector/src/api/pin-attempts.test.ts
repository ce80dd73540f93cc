/** Which attempts with a PIN the user has to confirm: after a wrong one, and the last. */
import { Problem } from '@cardwire/protocol/problem'
import { expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import type { CardModule } from '../sandbox/card-modules/card-module.ts'
import { findCardModule } from '../sandbox/card-modules/card-modules.ts'
import { createPinAttempts } from './pin-attempts.ts'
import type { PinState } from './pin-call.ts'

type Snapshot = { readonly readers: readonly { readonly name: string; readonly card?: object }[] }

const module = findCardModule('beid') as CardModule
const [first, second] = module.keys as readonly [CardModule['keys'][number], CardModule['keys'][0]]

/** Attempts at one reader, whose card a test takes out. */
function open() {
  let change = (_: Snapshot): void => undefined
  const readers = {
    subscribe(listener: typeof change) {
      change = listener
      return () => undefined
    },
  }
  const begin = createPinAttempts({ readers } as unknown as Parameters<typeof createPinAttempts>[0])
  return {
    begin,
    attempt: (state: Partial<PinState>) => begin({ ...card, ...state }),
    takeOut: () => change({ readers: [{ name: 'Reader 1' }] }),
  }
}
const card: PinState = {
  card: { module, reader: 'Reader 1', atr: '3B00', pinpad: false },
  key: first,
  certificate: 'AA==',
  triesLeft: undefined,
}
const refuse = (triesLeft?: number) => async () => {
  throw new Problem('pin-wrong', 'The PIN is wrong', triesLeft === undefined ? {} : { triesLeft })
}
/** By a status that does not say that the PIN is wrong. */
const refuseForm = async () => {
  throw new Problem('pin-invalid', 'The card refuses the PIN')
}
/** The reader refuses it, or the connector: the card does not get it. */
const refuseUnsent = async () => {
  throw new Problem('pin-invalid', 'The card has none of this length', { isPinUnsent: true })
}
const accept = async () => 'signed'
const otherKey = { key: second, certificate: 'AQ==' }

/** What the user has to confirm: before `state`, after attempts that the card answers so. */
test.each<[string, (() => Promise<unknown>)[], Partial<PinState>, object | undefined]>([
  ['nothing at first', [], {}, undefined],
  ['nothing while attempts are left', [], { triesLeft: 2 }, undefined],
  ['the last one that the card reports', [], { triesLeft: 1 }, { reason: 'last', triesLeft: 1 }],
  ['one after a wrong PIN', [refuse(2)], {}, { reason: 'refused', triesLeft: 2 }],
  ['one whose number nothing tells', [refuse()], {}, { reason: 'refused', triesLeft: undefined }],
  ['one after a PIN that the card refused', [refuseForm], {}, { reason: 'refused' }],
  ['nothing after a PIN that the card did not get', [refuseUnsent], {}, undefined],
  ['the last one that only the wrong PIN told', [refuse(1)], {}, { reason: 'last', triesLeft: 1 }],
  [
    'the last one that another program has left',
    [refuse(2)],
    { triesLeft: 1 },
    { reason: 'last', triesLeft: 1 },
  ],
  ['the last one with another key', [refuse(1)], otherKey, { reason: 'last', triesLeft: 1 }],
  ['nothing after a right PIN', [refuse(1), accept], {}, undefined],
  ['nothing with another key after a right PIN', [refuse(1), accept], otherKey, undefined],
  ['nothing when the card reports more than were left', [refuse(1)], { triesLeft: 3 }, undefined],
])('the user confirms %s', async (_, answers, state, expected) => {
  proves('pin-attempt-confirmed')
  const { attempt } = open()
  for (const answer of answers) {
    const made = attempt({})
    made.findConfirmation()
    await made.make(answer).catch(() => undefined)
  }
  expect(attempt(state).findConfirmation()).toEqual(expected)
})

test('a card that leaves and comes back is still one with a wrong PIN; another card is not', async () => {
  proves('pin-attempt-confirmed')
  const { attempt, takeOut } = open()
  await attempt({})
    .make(refuse(1))
    .catch(() => undefined)
  takeOut()
  expect(attempt({}).findConfirmation()).toEqual({ reason: 'last', triesLeft: 1 })
  expect(attempt(otherKey).findConfirmation()).toBeUndefined()
})

test('two attempts at once: the second is not made when only the last is left, unless it was confirmed', async () => {
  proves('pin-attempt-confirmed')
  const { attempt } = open()
  const [one, two] = [attempt({ triesLeft: 2 }), attempt({ triesLeft: 2 })]
  let sent = 0
  const send = () => {
    sent += 1
    return refuse(1)()
  }
  const ends = [one.make(send), two.make(send)].map((end) => end.catch((error) => error.name))
  expect(await Promise.all(ends)).toEqual(['pin-wrong', 'pin-busy'])
  expect(two.findConfirmation()).toEqual({ reason: 'last', triesLeft: 1 })
  await two.make(accept)
  expect(sent).toBe(1)
})

test('of 150 cards with a wrong PIN the last 100 at least are remembered', async () => {
  const { attempt } = open()
  const nth = (at: number) => ({
    card: { ...card.card, reader: `Reader ${at}` },
    certificate: String(at),
  })
  for (let at = 0; at < 150; at += 1) {
    await attempt(nth(at))
      .make(refuse(1))
      .catch(() => undefined)
  }
  const isKnown = (at: number) => attempt(nth(at)).findConfirmation() !== undefined
  expect([isKnown(0), isKnown(50), isKnown(149)]).toEqual([false, true, true])
})

test('keys of an OpenPGP card, which has one PIN under two references, share a wrong PIN', async () => {
  proves('pin-attempt-confirmed')
  const { attempt } = open()
  const cards = findCardModule('openpgp') as CardModule
  const [signature, authentication] = cards.keys.map((key) => ({
    ...{ card: { ...card.card, module: cards }, key, certificate: key.id, triesLeft: 2 },
  }))
  await attempt(signature ?? {})
    .make(refuse(2))
    .catch(() => undefined)
  expect(attempt(authentication ?? {}).findConfirmation()).toEqual({
    ...{ reason: 'refused', triesLeft: 2 },
  })
})
