/** Transactions of payment cards: what was read is not read again while the card is there, and an origin starts few. */
import { beforeEach, expect, test } from 'vitest'
import { proves } from '../../../../test/bed/proves.ts'
import type { CardOperation } from '../../system/ipc/card-messages.ts'
import type { CardAccess } from './card-access.ts'
import { limitPaymentStarts } from './payment-starts.ts'
import type { Snapshot } from './readers.ts'

const reader = { id: '1', name: 'Reader 1', pinpad: false }
const module = 'emv'
const readKeys = {
  ...{ kind: 'payment-keys', module, aid: 'A0000000031010' },
  keys: ['issuer'] as const,
} as const satisfies CardOperation
const readData = { kind: 'payment-data', module, wholePan: false } as const
const prepare = { kind: 'prepare', module, key: 'pin' } as const

let asked: string[]
let failing: boolean
let sandboxPid: number
let publish: (snapshot: Snapshot) => void
let access: CardAccess
beforeEach(() => {
  asked = []
  failing = false
  sandboxPid = 1
  let turn: Promise<unknown> = Promise.resolve()
  const run = (_: string, operation: CardOperation, options?: { requireWanted?: () => void }) => {
    const answer = turn.then(() => {
      options?.requireWanted?.()
      asked.push(operation.kind)
      if (failing) throw new Error('The card fails')
      return { kind: operation.kind, keys: [], answer: asked.length }
    })
    turn = answer.catch(() => undefined)
    // The next one begins before the caller has the answer.
    return answer.finally(() => undefined).finally(() => undefined)
  }
  const cards = { run } as unknown as CardAccess
  access = limitPaymentStarts(cards, {
    sandboxPid: () => sandboxPid,
    subscribe(listener) {
      publish = listener
      return () => undefined
    },
  })
})
const show = (card: boolean) =>
  publish({
    ...{ sequence: 1, pcsc: { kind: 'up' } },
    readers: [card ? { ...reader, card: { atr: '3B00' } } : reader],
  })
const run = (operation: CardOperation, origin = 'https://shop.example') =>
  access.run(reader.name, operation, { origin })
/** How many of so many calls succeed. */
const count = async (calls: number, operation: CardOperation, origin?: string) => {
  let done = 0
  for (let call = 0; call < calls; call += 1) {
    await run(operation, origin).then(
      () => {
        done += 1
      },
      (error) => expect(error).toMatchObject({ name: 'too-many-requests' }),
    )
  }
  return done
}

test('a payment card is read once, however many calls there are at once, and again when it was taken out', async () => {
  proves('payment-card-worn')
  const calls = Array.from({ length: 8 }, () => run(readKeys))
  expect(new Set((await Promise.all(calls)).map((found) => JSON.stringify(found))).size).toBe(1)
  expect(await run(readKeys, 'https://other.example')).toMatchObject({ answer: 1 })
  expect(await run({ ...readKeys, aid: 'A0000000043060' })).toMatchObject({ answer: 2 })
  expect(await run(readData)).toMatchObject({ answer: 3 })
  expect(await run({ ...readData, wholePan: true })).toMatchObject({ answer: 4 })
  show(true)
  expect(await run(readData)).toMatchObject({ answer: 3 })
  show(false)
  expect(await run(readData)).toMatchObject({ answer: 5 })
})

test('an origin starts 40 transactions of a card, and more when it was inserted again', async () => {
  proves('payment-card-worn')
  // Each is followed by a second one, with the PIN.
  expect(await count(25, prepare)).toBe(20)
  expect(await count(1, readKeys)).toBe(0)
  expect(await count(25, prepare, 'https://other.example')).toBe(20)
  expect(asked).toHaveLength(40)
  show(false)
  expect(await count(1, prepare)).toBe(1)
})

test('a reading that fails is tried again, and counts', async () => {
  proves('payment-card-worn')
  failing = true
  for (let call = 0; call < 40; call += 1)
    await expect(run(readKeys)).rejects.toThrow('The card fails')
  await expect(run(readKeys)).rejects.toMatchObject({ name: 'too-many-requests' })
  expect(asked).toHaveLength(40)
})

test('nothing is answered from memory after the readers were not watched for a time', async () => {
  await run(readKeys)
  await count(18, prepare)
  sandboxPid = 2
  expect(await run(readKeys)).toMatchObject({ answer: 20 })
  expect(await count(2, prepare)).toBe(1)
})

test('what starts no transaction is not counted, nor is a PIN of another card', async () => {
  await count(50, { kind: 'payment-applications', module })
  await count(50, { kind: 'prepare', module: 'piv', key: '9C' })
  expect(asked).toHaveLength(100)
})
