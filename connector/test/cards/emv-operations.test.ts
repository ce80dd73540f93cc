/** Payment cards without a reader: with each kind of directory, over T=0 and T=1, and with answers that no card should give. */
import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { createCardSession } from '../../src/card-modules/card-session.ts'
import { runOperation } from '../../src/card-modules/run-operation.ts'
import { type CardOperation, CardResult } from '../../src/ipc/card-messages.ts'
import {
  cardNumber,
  createEmvCard,
  type EmvCardOptions,
  keyBytes,
  maestro,
  visa,
} from './emv-card.ts'
import { commandLimit, createRandom, distort, runAgainst } from './hostile-card.ts'

const module = 'emv'
const wholePan = true
const operations: readonly CardOperation[] = [
  { kind: 'probe' },
  { kind: 'payment-applications', module },
  { kind: 'payment-data', module, wholePan },
  { kind: 'payment-keys', module, aid: visa, keys: ['issuer', 'icc'] },
]

function run(options: EmvCardOptions, operation: CardOperation) {
  const { respond } = createEmvCard(options)
  const session = createCardSession({
    ...{ protocol: options.protocol, transmit: respond, isOver: () => false },
  })
  const none = { pin: new Uint8Array(), onPin: () => undefined, findPad: () => undefined }
  return runOperation(session, operation, none)
}

describe.each([
  ['contactless', 'T=1', 2],
  ['contact', 'T=0', 1],
  ['contact', 'T=1', 2],
  ['none', 'T=0', 2],
] as const)(
  'a payment card with the directory %s over %s, format %s',
  (directory, protocol, format) => {
    const options = { directory, protocol, format }
    test('has its applications, by priority', () => {
      expect(run(options, { kind: 'payment-applications', module })).toEqual({
        kind: 'payment-applications',
        applications: [
          { aid: visa, name: 'VISA DEBIT', priority: 1 },
          { aid: maestro, name: 'MAESTRO', priority: 2 },
        ],
      })
    })

    test('has the data of the first, with four digits of its number or all', () => {
      const data = {
        ...{ country: 'BE', countryCode: '056', language: 'nlfr', name: 'LOVELACE/ADA' },
        ...{ effectiveDate: '240101', expirationDate: '291231' },
      }
      const read = (whole: boolean) =>
        run(options, { kind: 'payment-data', module, wholePan: whole })
      expect(read(true)).toMatchObject({ data: { ...data, pan: cardNumber } })
      expect(read(false)).toMatchObject({ data: { ...data, pan: '************1111' } })
    })

    test('has the public keys of an application', () => {
      const base64 = (bytes: Buffer) => bytes.toString('base64')
      const { issuer, issuerRemainder, icc, exponent } = keyBytes
      expect(
        run(options, { kind: 'payment-keys', module, aid: visa, keys: ['issuer', 'icc'] }),
      ).toMatchObject({
        keys: [
          {
            ...{ key: 'issuer', certificate: base64(issuer) },
            ...{ exponent: base64(exponent), remainder: base64(issuerRemainder) },
          },
          { key: 'icc', certificate: base64(icc), exponent: base64(exponent), remainder: '' },
        ],
      })
    })
  },
)

test('whatever a payment card answers, an operation ends in a result or a problem', () => {
  const random = createRandom(Number(process.env['TEST_CARD_SEED'] ?? 1))
  const ends = new Set<string>()
  for (let count = 0; count < Number(process.env['TEST_CARD_ANSWERS'] ?? 500); ) {
    const protocol = random.pick(['T=0', 'T=1'] as const)
    const directory = random.pick(['contactless', 'contact', 'none'] as const)
    const card = createEmvCard({ protocol, directory, format: random.pick([1, 2] as const) })
    const first = random.integer(16)
    const respond = (command: Uint8Array, position: number) => {
      const honest = card.respond(command)
      if (position < first) return honest
      count += 1
      return random.integer(3) > 0 ? distort(random, honest) : honest
    }
    const outcome = runAgainst({ operation: random.pick(operations), protocol, respond })
    if (outcome.result) z.parse(CardResult, outcome.result)
    expect(outcome.commands.length).toBeLessThan(commandLimit)
    expect(outcome.commands.filter((command) => /^..(20|24|2C)/.test(command))).toEqual([])
    ends.add(outcome.problem ?? 'result')
  }
  expect([...ends]).toEqual(expect.arrayContaining(['result', 'card-mute', 'card-unsupported']))
})
