/** Payment cards without a reader: with each kind of directory, over T=0 and T=1, and with answers that no card should give. */
import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { proves } from '../../../test/bed/proves.ts'
import { createCardSession } from '../../src/sandbox/card-modules/card-session.ts'
import { runOperation } from '../../src/sandbox/card-modules/run-operation.ts'
import { type CardOperation, CardResult } from '../../src/system/ipc/card-messages.ts'
import {
  cardNumber,
  cardPin,
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
  { kind: 'prepare', module, key: 'pin' },
]
const verify = { kind: 'verify', module, key: 'pin' } as const

const run = (options: EmvCardOptions, operation: CardOperation) => insert(options).run(operation)

/** A card that stays between operations, each as its own transaction; `sent` are the commands, hex. */
function insert(options: EmvCardOptions) {
  const card = createEmvCard(options)
  const sent: string[] = []
  const transmit = (apdu: Uint8Array) => {
    sent.push(Buffer.from(apdu).toString('hex').toUpperCase())
    return card.respond(apdu)
  }
  return {
    sent,
    run(operation: CardOperation, pin = '') {
      const { protocol } = options
      const session = createCardSession({ protocol, transmit, isOver: () => false })
      const inputs = { pin: Buffer.from(pin), onPin: () => undefined, findPad: () => undefined }
      return runOperation(session, operation, inputs)
    },
  }
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
      proves('payment-applications')
      expect(run(options, { kind: 'payment-applications', module })).toEqual({
        kind: 'payment-applications',
        applications: [
          { aid: visa, name: 'VISA DEBIT', priority: 1 },
          { aid: maestro, name: 'MAESTRO', priority: 2 },
        ],
      })
    })

    test('has the data of the first, with four digits of its number or all', () => {
      proves('payment-holder', 'payment-number-read')
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

describe.each([
  ['contactless', 'T=1'],
  ['none', 'T=0'],
] as const)('the PIN of a card with the directory %s over %s', (directory, protocol) => {
  const options = { directory, protocol } as const
  const prepare = { kind: 'prepare', module, key: 'pin' } as const
  const problem = (name: string) => expect.objectContaining({ problem: name })

  test('is verified as a block of digits, after the application was begun', () => {
    proves('payment-pin')
    const card = insert(options)
    expect(card.run(prepare)).toEqual({ kind: 'prepare', triesLeft: 3 })
    expect(card.run(verify, cardPin)).toEqual({ kind: 'verify' })
    expect(card.sent.at(-1)).toBe('0020008008241234FFFFFFFFFF')
    expect(card.sent.findLast((command) => command.startsWith('00A404'))).toContain(visa)
  })

  test('costs a try where it is wrong; the last one blocks it, and it is not tried again', () => {
    proves('payment-pin', 'payment-pin-blocked')
    const card = insert(options)
    expect(() => card.run(verify, '9999')).toThrow(problem('pin-wrong'))
    expect(card.run(prepare)).toMatchObject({ triesLeft: 2 })
    expect(() => card.run(verify, '9999')).toThrow(problem('pin-wrong'))
    expect(() => card.run(verify, '9999')).toThrow(problem('pin-blocked'))
    expect(() => card.run(prepare)).toThrow(problem('pin-blocked'))
    expect(() => card.run(verify, cardPin)).toThrow(problem('pin-blocked'))
  })

  test.each(['enciphered', 'online'] as const)(
    'is not sent where the card wants it %s, and nobody is asked',
    (method) => {
      proves('payment-pin-blocked')
      const card = insert({ ...options, method })
      expect(() => card.run(prepare)).toThrow(problem('card-unsupported'))
      expect(() => card.run(verify, cardPin)).toThrow(problem('card-unsupported'))
      expect(card.sent.filter((command) => command.startsWith('0020'))).toEqual([])
    },
  )

  test('has no number of tries where the card does not tell it', () => {
    const card = insert({ ...options, tellsTries: false })
    expect(card.run(prepare)).toEqual({ kind: 'prepare' })
  })

  test.each(['123', '1234567890123', '12a4'])('%s is none that a card takes', (pin) => {
    const card = insert(options)
    expect(() => card.run(verify, pin)).toThrow(problem('pin-invalid'))
    expect(card.sent.filter((command) => command.startsWith('0020'))).toEqual([])
  })
})

test('whatever a payment card answers, an operation ends in a result or a problem, and a PIN is sent once at most', () => {
  proves('payment-card-hostile')
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
    const outcome = runAgainst({
      operation: random.pick([...operations, verify]),
      protocol,
      respond,
    })
    if (outcome.result) z.parse(CardResult, outcome.result)
    expect(outcome.commands.length).toBeLessThan(commandLimit)
    const pins = outcome.commands.filter((command) => /^..(20|24|2C)/.test(command))
    expect(pins.length).toBe(outcome.announcedPins)
    expect(pins.length).toBeLessThanOrEqual(1)
    ends.add(outcome.problem ?? 'result')
  }
  expect([...ends]).toEqual(expect.arrayContaining(['result', 'card-mute', 'card-unsupported']))
})

test.each(['contactless', 'contact', 'none'] as const)(
  'of a card with the directory %s, no application is asked for that is neither listed nor known',
  (directory) => {
    proves('payment-card-worn')
    const card = insert({ directory, protocol: 'T=1' })
    const aid = 'A0000001523010'
    const operation = { kind: 'payment-keys', module, aid, keys: ['issuer'] } as const
    expect(() => card.run(operation)).toThrow(
      expect.objectContaining({ problem: 'card-unsupported' }),
    )
    expect(card.sent.filter((command) => command.includes(aid))).toEqual([])
    expect(card.sent.filter((command) => command.startsWith('80A8'))).toEqual([])
  },
)

test('of a payment card with records without end, 16 of a directory are read, and 64 of an application', () => {
  proves('payment-card-hostile')
  const card = createEmvCard({ directory: 'contact', protocol: 'T=1' })
  // Its second file has the records 1 to 255.
  const files = Uint8Array.from(Buffer.from('800600001001FF009000', 'hex'))
  const respond = (command: Uint8Array) => {
    if (command[1] === 0xa8) return files
    const isRead = command[1] === 0xb2
    return card.respond(isRead ? command.with(2, 1) : command)
  }
  const countReads = (operation: CardOperation) => {
    const { commands } = runAgainst({ operation, protocol: 'T=1', respond })
    return commands.filter((command) => command.startsWith('00B2')).length
  }
  expect(countReads({ kind: 'payment-applications', module })).toBe(16)
  expect(countReads({ kind: 'payment-keys', module, aid: visa, keys: ['icc'] })).toBe(64)
})

test.each([
  ['cannot read', 0x65, 0x81],
  ['says that it does not have', 0x6a, 0x83],
])('a payment card that %s a record that it names is mute', (_, ...status) => {
  proves('card-unreadable')
  const card = createEmvCard({ directory: 'contactless', protocol: 'T=1', format: 2 })
  for (const operation of operations.slice(2, 4)) {
    const respond = (command: Uint8Array) =>
      command[1] === 0xb2 ? Uint8Array.from(status) : card.respond(command)
    expect(runAgainst({ operation, respond }).problem).toBe('card-mute')
  }
})

/** What a card answers that has failed, or answers nothing that is a status. */
const failures = ['6400', '6581', '6F00', '6C10', '0000'].map((status) =>
  Uint8Array.from(Buffer.from(status, 'hex')),
)

test('a payment card whose applications cannot be read is no card without applications', () => {
  proves('card-unreadable')
  const card = createEmvCard({ directory: 'contact', protocol: 'T=1' })
  const isSelection = (command: Uint8Array) => command[1] === 0xa4
  for (const failure of failures) {
    let selections = 0
    const cards = {
      'gives no application': (command: Uint8Array) =>
        isSelection(command) ? failure : card.respond(command),
      // The first selection finds out that it is a payment card.
      'gives none after the first': (command: Uint8Array) => {
        if (!isSelection(command)) return failure
        selections += 1
        return selections === 1 ? Uint8Array.of(0x90, 0x00) : failure
      },
    }
    for (const [name, respond] of Object.entries(cards)) {
      for (const operation of operations.slice(1)) {
        selections = 0
        const found = [name, operation.kind, runAgainst({ operation, respond }).problem]
        expect(found).toEqual([name, operation.kind, 'card-mute'])
      }
    }
  }
})

test('a payment card that says that it has no application has none', () => {
  proves('payment-applications')
  for (const status of [0x6a82, 0x6a81, 0x6985, 0x6283]) {
    let selections = 0
    const respond = () => {
      selections += 1
      return selections === 1
        ? Uint8Array.of(0x90, 0x00)
        : Uint8Array.of(status >> 8, status & 0xff)
    }
    const operation = { kind: 'payment-applications', module } as const
    expect(runAgainst({ operation, respond }).result).toMatchObject({ applications: [] })
  }
})

test('a counter of attempts that cannot be read is not one that the card does not have', () => {
  proves('payment-pin-blocked')
  const operation = { kind: 'prepare', module, key: 'pin' } as const
  const card = createEmvCard({ directory: 'contactless', protocol: 'T=1' })
  const answering = (answer: Uint8Array) => (command: Uint8Array) =>
    command[1] === 0xca ? answer : card.respond(command)
  for (const failure of failures)
    expect(runAgainst({ operation, respond: answering(failure) }).problem).toBe('card-mute')
  const absent = runAgainst({ operation, respond: answering(Uint8Array.of(0x6a, 0x88)) })
  expect(absent.result).toEqual({ kind: 'prepare' })
})
