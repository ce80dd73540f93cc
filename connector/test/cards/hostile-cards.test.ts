/** Operations with cards that answer what no card should: each ends soon, in a result or in a problem. */
import { buffer } from 'node:stream/consumers'
import { createGzip } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { proves } from '../../../test/bed/proves.ts'
import { encodeTlv } from '../../src/sandbox/card-modules/ber-tlv.ts'
import { createPivCard, type PivCardOptions } from '../../src/sandbox/virtual-card/piv-card.ts'
import {
  type CardOperation,
  CardResult,
  encodeFrame,
  maxFrameBytes,
} from '../../src/system/ipc/card-messages.ts'
import { makeKeys } from './emulated-card.ts'
import {
  commandLimit,
  createRandom,
  createSignOperation,
  distort,
  runAgainst,
  sendInParts,
} from './hostile-card.ts'

const hex = (text: string) => Uint8Array.from(Buffer.from(text, 'hex'))
const ok = hex('9000')
const list: CardOperation = { kind: 'certificates', module: 'piv' }
const listOne: CardOperation = { kind: 'certificates', module: 'piv', keys: ['9A'] }

let keys: PivCardOptions['keys']
let operations: readonly CardOperation[]

beforeAll(async () => {
  keys = (await makeKeys({ '9A': 'P-256', '9C': 'RSA-2048', '9D': 'P-384' })).keys
  operations = [
    { kind: 'probe' },
    list,
    { kind: 'prepare', module: 'piv', key: '9A' },
    { kind: 'verify', module: 'piv', key: '9C', certificate: toBase64(keys['9C']?.certificate) },
    sign('9A', 'sha256'),
    sign('9C', 'sha256'),
    sign('9D', 'sha384'),
  ]
})

const toBase64 = (bytes: Uint8Array = new Uint8Array()) => Buffer.from(bytes).toString('base64')
const sign = (key: '9A' | '9C' | '9D', hash: 'sha256' | 'sha384') =>
  createSignOperation(keys, key, hash)

/** Without having all of them at a time. */
async function compressZeros(megabytes: number): Promise<Uint8Array> {
  const gzip = createGzip({ level: 9 })
  const compressed = buffer(gzip)
  for (let written = 0; written < megabytes; written += 1) {
    await new Promise((resolve) => gzip.write(new Uint8Array(1_000_000), resolve))
  }
  gzip.end()
  return compressed
}

/** Selects, then answers each command with the same bytes. */
const afterSelect = (answer: Uint8Array) => (_command: Uint8Array, position: number) =>
  position === 0 ? ok : answer
describe('a card', () => {
  test.each([
    ['no bytes', ''],
    ['one byte', '90'],
    ['a length beyond its end', '5382FFFF70019000'],
    ['a length of its length of four bytes', '538400000001709000'],
    ['a tag without end', '1FFFFFFFFFFF9000'],
    ['a template cut within its length', '53829000'],
    ['a certificate beyond its template', '5304708200FF9000'],
  ])('that answers %s is card-mute', (_name, answer) => {
    proves('card-operation-ends', 'card-data-hostile')
    const respond = afterSelect(hex(answer))
    const { problem, commands } = runAgainst({ operation: listOne, respond })
    expect([problem, commands.length]).toEqual(['card-mute', 2])
  })

  test('whose templates hold each other a thousand times is card-mute, read to the depth of a certificate', () => {
    let nested = new Uint8Array(1)
    for (let depth = 0; depth < 1000; depth += 1) nested = encodeTlv(0x53, nested)
    const { problem } = runAgainst({ operation: listOne, respond: sendInParts(nested) })
    expect(problem).toBe('card-mute')
  })

  test('with more than 64 elements beside each other is card-mute', () => {
    const object = encodeTlv(0x53, ...Array.from({ length: 65 }, () => hex('8000')))
    expect(runAgainst({ operation: listOne, respond: sendInParts(object) }).problem).toBe(
      'card-mute',
    )
  })

  test.each([
    ['parts of 256 bytes', Buffer.concat([new Uint8Array(256), hex('6100')]), 258],
    ['parts of one byte', hex('006101'), 1026],
    ['parts of no bytes', hex('6100'), 3],
  ])('whose answer goes on without end in %s is card-mute', (_name, answer, count) => {
    proves('card-operation-ends', 'card-data-hostile')
    const { problem, commands } = runAgainst({ operation: listOne, respond: afterSelect(answer) })
    expect([problem, commands.length]).toEqual(['card-mute', count])
  })

  test.each(['T=0', 'T=1'] as const)(
    'that wants another length without end is asked twice over %s',
    (protocol) => {
      proves('card-operation-ends')
      const respond = ({ 1: ins }: Uint8Array) => (ins === 0xcb ? hex('6110') : hex('6C10'))
      const selected = (command: Uint8Array, position: number) =>
        position === 0 ? ok : respond(command)
      const { commands, problem } = runAgainst({ operation: listOne, protocol, respond: selected })
      expect(commands.map((command) => command.slice(2, 4))).toEqual(['A4', 'CB', 'C0', 'C0'])
      expect(problem).toBe('card-mute')
    },
  )

  test('that wants another length behind data is asked once more with that length over T=1', () => {
    proves('card-answer-length')
    const respond = (command: Uint8Array, position: number) =>
      position === 0 ? ok : command.at(-1) === 0x00 ? hex('6C04') : hex('530270009000')
    const { commands, result } = runAgainst({ operation: listOne, protocol: 'T=1', respond })
    expect(commands.slice(1)).toEqual(['00CB3FFF055C035FC10500', '00CB3FFF055C035FC10504'])
    expect(result).toEqual({ kind: 'certificates', certificates: [] })
  })

  test('that wants another length for a PIN does not get it again', () => {
    proves('card-answer-length')
    const card = createPivCard({ keys, pin: '123456', protocol: 'T=1' })
    const respond = (command: Uint8Array) =>
      command[1] === 0x20 ? hex('6C08') : card.respond(command)
    const certificate = toBase64(keys['9C']?.certificate)
    const operation = { kind: 'verify', module: 'piv', key: '9C', certificate } as const
    const { commands, problem } = runAgainst({ operation, protocol: 'T=1', respond })
    expect(problem).toBe('pin-invalid')
    expect(commands.filter((command) => command.startsWith('0020'))).toHaveLength(1)
  })

  test.each([
    [65_536, undefined],
    [65_537, 'card-mute'],
    [1_000_000, 'card-mute'],
  ])('that answers %i bytes at once, a certificate and filler, is %s', (length, expected) => {
    proves('card-data-hostile')
    const object = encodeTlv(0x53, encodeTlv(0x70, new Uint8Array(100)))
    const answer = Buffer.concat([object, new Uint8Array(length - object.length), ok])
    const { problem } = runAgainst({ operation: listOne, respond: afterSelect(answer) })
    expect(problem).toBe(expected)
  })

  test('with certificates of 64 kB only is card-mute, in a list and alone', () => {
    proves('card-operation-ends')
    const object = encodeTlv(0x53, encodeTlv(0x70, new Uint8Array(65_000)))
    const respond = sendInParts(object)
    const prepare = { kind: 'prepare', module: 'piv', key: '9A' } as const
    for (const operation of [list, listOne, prepare]) {
      expect(runAgainst({ operation, respond }).problem).toBe('card-mute')
    }
  })

  test('whose certificate is as long as is read leaves room in a frame for a hundred digests', () => {
    const certificate = new Uint8Array(16_384)
    const object = encodeTlv(0x53, encodeTlv(0x70, certificate))
    const { result } = runAgainst({ operation: listOne, respond: sendInParts(object) })
    expect(result).toEqual({
      kind: 'certificates',
      certificates: [{ key: '9A', certificate: toBase64(certificate) }],
    })
    const digests = Array.from({ length: 100 }, () => toBase64(new Uint8Array(64)))
    const operation = { ...sign('9A', 'sha256'), certificate: toBase64(certificate), digests }
    const request = { reader: '\u{1F4B3}'.repeat(128), timeoutMs: 15_000, operation }
    expect(encodeFrame(request, new Uint8Array()).length).toBeLessThan(maxFrameBytes.request)
  })

  test('whose compressed certificate has 60 MB is card-mute, and the 60 MB are nowhere', async () => {
    proves('card-operation-ends', 'card-data-hostile')
    const bomb = await compressZeros(60)
    const object = encodeTlv(0x53, encodeTlv(0x70, bomb), encodeTlv(0x71, hex('01')))
    const before = process.memoryUsage().rss
    const { problem } = runAgainst({ operation: listOne, respond: sendInParts(object) })
    expect(problem).toBe('card-mute')
    expect(process.memoryUsage().rss - before).toBeLessThan(30_000_000)
  })

  test('that is slow is given up when the time of the operation is over', () => {
    proves('card-operation-ends', 'card-data-hostile')
    const { problem, commands } = runAgainst({
      operation: list,
      maxCommands: 3,
      respond: afterSelect(hex('6A82')),
    })
    expect([problem, commands.length]).toEqual(['card-mute', 3])
  })
})

const answers = Number(process.env['TEST_CARD_ANSWERS'] ?? 500)
const seed = Number(process.env['TEST_CARD_SEED'] ?? 1)

test('whatever a card answers, an operation ends in a result or a problem, and a PIN is sent once at most', () => {
  proves('card-operation-ends', 'card-data-hostile')
  const random = createRandom(seed)
  const ends = new Map<string, number>()
  for (let count = 0; count < answers; ) {
    const protocol = random.pick(['T=0', 'T=1'] as const)
    const card = createPivCard({ keys, pin: '123456', protocol, compressed: random.integer(2) > 0 })
    const operation = random.pick(operations)
    // Before it the card is honest.
    const first = random.integer(16)
    const respond = (command: Uint8Array, position: number) => {
      const honest = card.respond(command)
      if (position < first) return honest
      count += 1
      return random.integer(3) > 0 ? distort(random, honest) : honest
    }
    const { result, problem, commands, announcedPins } = runAgainst({
      operation,
      protocol,
      respond,
    })
    if (result) z.parse(CardResult, result)
    const pins = commands.filter((command) => /^0020008008/.test(command))
    expect(pins.length).toBe(announcedPins)
    expect(pins.length).toBeLessThanOrEqual(1)
    expect(commands.length).toBeLessThan(commandLimit)
    ends.set(problem ?? 'result', (ends.get(problem ?? 'result') ?? 0) + 1)
  }
  // Chance reaches what it is meant to reach.
  expect([...ends.keys()]).toEqual(expect.arrayContaining(['result', 'card-mute', 'card-changed']))
  expect([...ends.values()].reduce((sum, one) => sum + one, 0)).toBeGreaterThan(50)
})
