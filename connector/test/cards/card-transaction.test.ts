/** One operation with a card is one transaction, and a card that a PIN was sent to is reset: over a scripted card service. */
import { beforeAll, expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { CardError } from '../../src/sandbox/card-modules/card-error.ts'
import { type CardSession, createCardSession } from '../../src/sandbox/card-modules/card-session.ts'
import { runOperation } from '../../src/sandbox/card-modules/run-operation.ts'
import { createCardWorker } from '../../src/sandbox/card-transaction.ts'
import { PcscError } from '../../src/sandbox/pcsc/codes.ts'
import type { Pcsc } from '../../src/sandbox/pcsc/pcsc.ts'
import { createPivCard, type PivCardOptions } from '../../src/sandbox/virtual-card/piv-card.ts'
import type { CardOperation } from '../../src/system/ipc/card-messages.ts'
import { makeKeys } from './emulated-card.ts'

const pin = '123456'
// SCARD_E_COMM_DATA_LOST, SCARD_W_RESET_CARD.
const commDataLost = 0x8010002f
const resetCard = 0x80100068

let keys: PivCardOptions['keys']
let verify: CardOperation
let sign: CardOperation

beforeAll(async () => {
  keys = (await makeKeys({ '9A': 'P-256', '9C': 'P-256' })).keys
  verify = { kind: 'verify', module: 'piv', key: '9C', certificate: certificateOf('9C') }
  const digests = [Buffer.alloc(32, 7).toString('base64'), Buffer.alloc(32, 8).toString('base64')]
  const key = { module: 'piv', key: '9C', certificate: certificateOf('9C') }
  sign = { kind: 'sign', ...key, hash: 'sha256', digests }
})

const certificateOf = (slot: '9A' | '9C') =>
  Buffer.from(keys[slot]?.certificate ?? new Uint8Array()).toString('base64')

interface Faults {
  /** Thrown when a transaction is to end. */
  readonly end?: number
  /** Thrown instead of an answer to this instruction. */
  readonly transmit?: { readonly ins: number; readonly value: number }
  /** Thrown when the reader is asked for its features. */
  readonly control?: number
}

/** A card service with one card, and what it was asked for: `begin`, an instruction as hex, `end alone`… */
function createService(faults: Faults = {}) {
  const card = createPivCard({ keys, pin, protocol: 'T=1' })
  const calls: string[] = []
  const sent: Uint8Array[] = []
  const fail = (
    name: `SCard${'Transmit' | 'EndTransaction' | 'Control'}`,
    value: number,
  ): never => {
    throw new PcscError(name, value)
  }
  const unused = () => {
    throw new Error('An operation with a card has no use for this call')
  }
  const pcsc: Pcsc = {
    establish: () => 1n,
    release: unused,
    isValid: () => true,
    listReaders: () => ['a reader'],
    getStatusChange: unused,
    cancel: unused,
    connect: () => ({ handle: 2n, protocol: 2 }),
    reset: unused,
    disconnect: (_connection, leave) => void calls.push(`disconnect ${leave}`),
    status: unused,
    control: () => (faults.control === undefined ? unused() : fail('SCardControl', faults.control)),
    getControlCode: (code) => code,
    transmit(_connection, apdu) {
      const [, ins = 0] = apdu
      const isPin = ins === 0x20 && apdu.length > 5
      calls.push(`${ins.toString(16).toUpperCase().padStart(2, '0')}${isPin ? ' with PIN' : ''}`)
      sent.push(apdu)
      if (ins === faults.transmit?.ins) fail('SCardTransmit', faults.transmit.value)
      return card.respond(apdu)
    },
    begin: () => void calls.push('begin'),
    end(_connection, leave) {
      calls.push(`end ${leave}`)
      if (faults.end !== undefined) fail('SCardEndTransaction', faults.end)
    },
    maxStates: 16,
  }
  const work = createCardWorker(
    () => pcsc,
    () => undefined,
  )
  /** The problem of the operation; undefined: it had none. */
  const run = (operation: CardOperation, entered = pin) => {
    try {
      work({ reader: 'a reader', timeoutMs: 10_000, operation }, Buffer.from(entered))
      return undefined
    } catch (error) {
      if (error instanceof CardError) return error.problem
      throw error
    }
  }
  return { calls, sent, run }
}

test('each signature has its PIN directly before it, all in one transaction that ends with a reset', () => {
  proves('pin-before-signature', 'pin-reused')
  const { calls, run } = createService()
  expect(run(sign)).toBeUndefined()
  const from = calls.indexOf('20 with PIN')
  expect(calls.filter((call) => call === 'begin')).toHaveLength(1)
  expect(calls.slice(from)).toEqual([
    '20 with PIN',
    '87',
    '20 with PIN',
    '87',
    'end reset',
    'disconnect alone',
  ])
})

test('a card that no PIN was sent to is left alone', () => {
  proves('pin-before-signature')
  const { calls, run } = createService()
  expect(run({ kind: 'prepare', module: 'piv', key: '9C' })).toBeUndefined()
  expect(calls.slice(-2)).toEqual(['end alone', 'disconnect alone'])
})

test.each([
  ['right', pin, undefined],
  ['wrong', '654321', 'pin-wrong'],
])(
  'where the end of a transaction fails after a %s PIN, the end of the connection resets the card',
  (_name, entered, problem) => {
    proves('pin-before-signature', 'pin-reused')
    const { calls, run } = createService({ end: commDataLost })
    expect(run(verify, entered)).toBe(problem)
    expect(calls.slice(-2)).toEqual(['end reset', 'disconnect reset'])
  },
)

test('a card that does not answer to its PIN is reset', () => {
  proves('pin-before-signature')
  const { calls, run } = createService({ transmit: { ins: 0x20, value: commDataLost } })
  expect(run(verify)).toBe('card-mute')
  expect(calls.slice(-3)).toEqual(['20 with PIN', 'end reset', 'disconnect alone'])
})

test('a card that another program has reset meanwhile is another card', () => {
  const { run } = createService({ transmit: { ins: 0xa4, value: resetCard } })
  expect(run(verify)).toBe('card-changed')
})

test('a card with another certificate than before the dialog gets no PIN', () => {
  proves('card-swapped')
  const { calls, run } = createService()
  for (const operation of [verify, sign]) {
    expect(run({ ...operation, certificate: certificateOf('9A') } as CardOperation)).toBe(
      'card-changed',
    )
  }
  expect(run({ kind: 'verify', module: 'piv', key: '9C' })).toBe('card-changed')
  expect(run({ ...verify, key: '9D' } as CardOperation)).toBe('card-changed')
  expect(calls).not.toContain('20 with PIN')
})

test.each(['12345', '123456789', '12a456', '', '12345\u0000'])(
  'the PIN %j of another form than the card has is not sent, and the card not reset',
  (entered) => {
    const { calls, run } = createService()
    expect(run(verify, entered)).toBe('pin-invalid')
    expect(calls).not.toContain('20 with PIN')
    expect(calls).toContain('end alone')
  },
)

test('a blocked PIN is a problem before anybody is asked for it, and is not tried', () => {
  const { calls, run } = createService()
  const wrong = () => run(verify, '654321')
  expect([wrong(), wrong(), wrong()]).toEqual(['pin-wrong', 'pin-wrong', 'pin-blocked'])
  calls.length = 0
  expect(run({ kind: 'prepare', module: 'piv', key: '9C' })).toBe('pin-blocked')
  expect(calls).not.toContain('20 with PIN')
})

test.each([
  ['the card has left', 0x80100069, 'card-absent'],
  ['the reader has left', 0x80100017, 'card-absent'],
  ['the exchange fails', 0x80100016, 'card-mute'],
  ['another program has reset the card', resetCard, 'card-changed'],
])('a reader with a pad that fails is not one without: %s', (_, control, problem) => {
  proves('pad-unread')
  const { run } = createService({ control })
  expect(run({ kind: 'prepare', module: 'piv', key: '9C', asksForPad: true })).toBe(problem)
})

test('the command that held the PIN is overwritten, whether the card answers or not', () => {
  proves('pin-in-card-process')
  const fault = { transmit: { ins: 0x20, value: commDataLost } }
  for (const { sent, run, calls } of [createService(), createService(fault)]) {
    run(verify)
    const command = sent[calls.filter((call) => call !== 'begin').indexOf('20 with PIN')]
    expect(command).toHaveLength(13)
    expect(command?.every((byte) => byte === 0)).toBe(true)
  }
})

test('the block of the PIN is overwritten, whether the card takes it or not', () => {
  proves('pin-in-card-process')
  for (const [entered, works] of [
    [pin, true],
    ['654321', false],
  ] as const) {
    const card = createPivCard({ keys, pin, protocol: 'T=1' })
    const inner = createCardSession({
      protocol: 'T=1',
      transmit: card.respond,
      isOver: () => false,
    })
    const blocks: Uint8Array[] = []
    const session: CardSession = {
      send(command) {
        if (command.ins === 0x20 && command.data) blocks.push(command.data)
        return inner.send(command)
      },
    }
    const run = () =>
      runOperation(session, verify, {
        pin: Buffer.from(entered),
        onPin: () => undefined,
        findPad: () => undefined,
      })
    if (works) expect(run()).toEqual({ kind: 'verify' })
    else expect(run).toThrow('2 tries left')
    expect(blocks).toEqual([new Uint8Array(8)])
  }
})
