/** Belgian identity cards that answer what no card should: each operation ends soon, in a result or in a problem. */
import { beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { proves } from '../../../test/bed/proves.ts'
import { type CardOperation, CardResult } from '../../src/system/ipc/card-messages.ts'
import { type BeidApplet, createBeidCard } from './beid-card.ts'
import { type BeidFiles, makeBeidFiles } from './beid-files.ts'
import { commandLimit, createRandom, distort, runAgainst } from './hostile-card.ts'

const applets = ['1.7', '1.8'] as const
const ok = Uint8Array.of(0x90, 0x00)
const toBase64 = (bytes: Uint8Array = new Uint8Array()) => Buffer.from(bytes).toString('base64')

let cards: Readonly<Record<BeidApplet, BeidFiles>>
beforeAll(async () => {
  cards = { '1.7': await makeBeidFiles('1.7'), '1.8': await makeBeidFiles('1.8') }
})

const list: CardOperation = {
  kind: 'certificates',
  module: 'beid',
  authorities: ['intermediate', 'root'],
}
const identity = (...parts: ('biometric' | 'address' | 'picture')[]): CardOperation => ({
  kind: 'identity',
  module: 'beid',
  parts,
})
const listOperations = ({ files }: BeidFiles): readonly CardOperation[] => {
  const key = { module: 'beid', key: 'signature', certificate: toBase64(files['5039']) } as const
  return [
    { kind: 'probe' },
    list,
    { kind: 'prepare', module: 'beid', key: 'authentication' },
    { kind: 'verify', ...key },
    { kind: 'sign', ...key, hash: 'sha256', digests: [toBase64(new Uint8Array(32).fill(7))] },
    { kind: 'info', module: 'beid' },
    identity('biometric', 'address', 'picture'),
  ]
}

/** Selects whatever is asked for; answers to every other command with the same bytes. */
const afterSelect =
  (...answer: readonly number[]) =>
  ({ 1: ins }: Uint8Array) =>
    ins === 0xa4 ? ok : Uint8Array.from(answer)

describe('a Belgian card', () => {
  test('whose files have no end is read to what an offset can say, and is card-mute', () => {
    proves('card-data-hostile')
    const respond = afterSelect(...new Uint8Array(256).fill(0x01), ...ok)
    const { problem, commands } = runAgainst({ operation: identity('address'), respond })
    expect(problem).toBe('card-mute')
    expect(commands.at(-1)).toBe('00B07F0000')
  })

  test.each([
    ['more bytes than were asked for', [...new Uint8Array(257), ...ok]],
    ['a field beyond the end', [0x01, 0x20, 0x41, ...ok]],
    ['a refusal', [0x69, 0x82]],
  ])('that answers %s for its identity is card-mute', (_name, answer) => {
    const outcome = runAgainst({
      operation: identity('biometric'),
      respond: afterSelect(...answer),
    })
    expect(outcome.problem).toBe('card-mute')
  })

  test('that refuses the rest of a file is card-mute', () => {
    const respond = ({ 1: ins, 2: p1 }: Uint8Array) => {
      if (ins === 0xa4) return ok
      return p1 === 0 ? Buffer.concat([new Uint8Array(256), ok]) : Uint8Array.of(0x69, 0x82)
    }
    expect(runAgainst({ operation: identity('address'), respond }).problem).toBe('card-mute')
  })

  test.each([
    ['no bytes', [...ok]],
    ['zeros', [0x00, 0x00, 0x00, ...ok]],
  ])('with %s where a certificate should be has none', (_name, answer) => {
    const { result } = runAgainst({ operation: list, respond: afterSelect(...answer) })
    expect(result).toEqual({ kind: 'certificates', certificates: [], authorities: [] })
  })

  test.each([
    ['one byte', [0x30, ...ok]],
    ['a length beyond the end', [0x30, 0x82, 0xff, 0xff, ...ok]],
    ['no certificate', [0x31, 0x00, ...ok]],
  ])('with %s where a certificate should be is card-mute', (_name, answer) => {
    proves('card-unreadable')
    expect(runAgainst({ operation: list, respond: afterSelect(...answer) }).problem).toBe(
      'card-mute',
    )
  })

  test('with certificates of 32 kB only is card-mute', () => {
    const head = Uint8Array.of(0x30, 0x82, 0x7d, 0x00)
    const respond = ({ 1: ins, 2: p1 = 0, 3: p2 = 0 }: Uint8Array) => {
      if (ins === 0xa4) return ok
      const part = new Uint8Array(256)
      if (p1 + p2 === 0) part.set(head)
      const isLast = p1 === 0x7e
      return Buffer.concat([isLast ? part.subarray(0, 10) : part, ok])
    }
    expect(runAgainst({ operation: list, respond }).problem).toBe('card-mute')
  })

  test.each(applets)('of applet %s with a signature of another length is card-mute', (applet) => {
    for (const length of [0, 1, 95, 97, 255]) {
      const card = createBeidCard({ ...cards[applet], pin: '123456', protocol: 'T=1' })
      const operation = listOperations(cards[applet])[4] as CardOperation
      const { problem } = runAgainst({
        operation,
        respond: (command) =>
          command[1] === 0x2a ? Buffer.concat([new Uint8Array(length), ok]) : card.respond(command),
      })
      expect([length, problem]).toEqual([length, 'card-mute'])
    }
  })
})

const answers = Number(process.env['TEST_CARD_ANSWERS'] ?? 2000)
const seed = Number(process.env['TEST_CARD_SEED'] ?? 1)

test.each(applets)(
  'whatever a card of applet %s answers, an operation ends, and a PIN is sent once at most',
  (applet) => {
    proves('card-data-hostile')
    const random = createRandom(seed)
    const operations = listOperations(cards[applet])
    const ends = new Map<string, number>()
    for (let count = 0; count < answers; ) {
      const protocol = random.pick(['T=0', 'T=1'] as const)
      const card = createBeidCard({ ...cards[applet], pin: '123456', protocol })
      // Before it the card is honest.
      const first = random.integer(24)
      const respond = (command: Uint8Array, position: number) => {
        const honest = card.respond(command)
        if (position < first) return honest
        count += 1
        return random.integer(3) > 0 ? distort(random, honest) : honest
      }
      const operation = random.pick(operations)
      const outcome = runAgainst({ operation, protocol, respond })
      const { result, problem, commands, announcedPins } = outcome
      if (result) z.parse(CardResult, result)
      const pins = commands.filter((command) => /^0020000108/.test(command))
      expect(pins.length).toBe(announcedPins)
      expect(pins.length).toBeLessThanOrEqual(1)
      expect(commands.length).toBeLessThan(commandLimit)
      ends.set(problem ?? 'result', (ends.get(problem ?? 'result') ?? 0) + 1)
    }
    // Chance reaches what it is meant to reach.
    const reached = ['result', 'card-mute', 'card-changed']
    expect([...ends.keys()]).toEqual(expect.arrayContaining(reached))
  },
)
