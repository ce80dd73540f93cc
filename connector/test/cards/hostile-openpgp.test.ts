/** OpenPGP cards that answer what no card should: each operation ends soon, in a result or in a problem. */
import { beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { proves } from '../../../test/bed/proves.ts'
import { type CardOperation, CardResult } from '../../src/system/ipc/card-messages.ts'
import { commandLimit, createRandom, distort, runAgainst } from './hostile-card.ts'
import { createOpenpgpCard } from './openpgp-card.ts'
import { makeOpenpgpFiles, type OpenpgpFiles } from './openpgp-files.ts'

const module = 'openpgp'
const key = 'signature'
const answers = Number(process.env['TEST_CARD_ANSWERS'] ?? 500)
const seed = Number(process.env['TEST_CARD_SEED'] ?? 1)
const types = ['RSA-2048', 'P-256', 'Ed25519'] as const

let cards: Readonly<Record<(typeof types)[number], OpenpgpFiles>>
beforeAll(async () => {
  const made = await Promise.all(types.map(async (type) => [type, await makeOpenpgpFiles(type)]))
  cards = Object.fromEntries(made)
})

const listOperations = ({ certificates }: OpenpgpFiles): readonly CardOperation[] => {
  const certificate = Buffer.from(certificates.signature ?? []).toString('base64')
  const digests = [Buffer.alloc(32, 7).toString('base64')]
  return [
    { kind: 'probe' },
    { kind: 'certificates', module, publicKeys: true },
    { kind: 'prepare', module, key },
    { kind: 'verify', module, key, certificate },
    { kind: 'sign', module, key, certificate, hash: 'sha256', digests },
    { kind: 'info', module },
    { kind: 'identity', module, parts: ['biometric'] },
  ]
}

test.each(types)(
  'whatever an OpenPGP card with keys of %s answers, an operation ends, and a PIN is sent once at most',
  (type) => {
    proves('openpgp-card-hostile')
    const random = createRandom(seed)
    const ends = new Set<string>()
    for (let count = 0; count < answers; ) {
      const protocol = random.pick(['T=0', 'T=1'] as const)
      // Half of them have no certificates.
      const certificates = random.integer(2) === 0 ? cards[type].certificates : {}
      const { keys } = cards[type]
      const card = createOpenpgpCard({ keys, certificates, pin: '123456', protocol })
      const first = random.integer(24)
      const respond = (command: Uint8Array, position: number) => {
        const honest = card.respond(command)
        if (position < first) return honest
        count += 1
        return random.integer(3) > 0 ? distort(random, honest) : honest
      }
      const operation = random.pick(listOperations(cards[type]))
      const { result, problem, commands, announcedPins } = runAgainst({
        ...{ operation, protocol, respond },
      })
      if (result) z.parse(CardResult, result)
      const pins = commands.filter((command) => /^0020008106/.test(command))
      expect(pins.length).toBe(announcedPins)
      expect(pins.length).toBeLessThanOrEqual(1)
      expect(commands.length).toBeLessThan(commandLimit)
      ends.add(problem ?? 'result')
    }
    expect([...ends]).toEqual(expect.arrayContaining(['result', 'card-mute', 'card-unsupported']))
  },
)
