/** Cards that answer as no card should: by a script, or from a position on as chance says. */
import { CardError } from '../../src/sandbox/card-modules/card-error.ts'
import { createCardSession } from '../../src/sandbox/card-modules/card-session.ts'
import { digestBytes, type HashName } from '../../src/sandbox/card-modules/key-type.ts'
import { runOperation } from '../../src/sandbox/card-modules/run-operation.ts'
import type { PivCardOptions, PivSlot } from '../../src/sandbox/virtual-card/piv-card.ts'
import type { CardOperation, CardResult } from '../../src/system/ipc/card-messages.ts'

export interface Outcome {
  /** undefined: the operation failed. */
  readonly result: CardResult | undefined
  /** Of its failure. */
  readonly problem: string | undefined
  readonly commands: readonly string[]
  /** How often it said that it would send a PIN. */
  readonly announcedPins: number
}

export interface HostileRun {
  readonly operation: CardOperation
  readonly protocol?: 'T=0' | 'T=1'
  readonly pin?: string
  /** How many commands the card has time for. */
  readonly maxCommands?: number
  readonly respond: (command: Uint8Array, position: number) => Uint8Array
}

/** Commands that one operation may take: five answers of at most 1024 parts, each asked for twice. */
export const commandLimit = 12_000

/** Throws whatever is no CardError, and when the card gets more commands than an operation may take. */
export function runAgainst({
  operation,
  protocol = 'T=1',
  pin = '123456',
  maxCommands = Number.POSITIVE_INFINITY,
  respond,
}: HostileRun): Outcome {
  const commands: string[] = []
  let announcedPins = 0
  const session = createCardSession({
    protocol,
    transmit(apdu) {
      if (commands.length === commandLimit) throw new Error('the operation does not end')
      commands.push(Buffer.from(apdu).toString('hex').toUpperCase())
      return respond(apdu, commands.length - 1)
    },
    isOver: () => commands.length >= maxCommands,
  })
  const done = { commands, result: undefined, problem: undefined }
  try {
    const result = runOperation(session, operation, {
      pin: Buffer.from(pin),
      onPin: () => {
        announcedPins += 1
      },
      findPad: () => undefined,
    })
    return { ...done, result, announcedPins }
  } catch (error) {
    if (!(error instanceof CardError)) throw error
    return { ...done, problem: error.problem, announcedPins }
  }
}

const success = Uint8Array.of(0x90, 0x00)

/** Selects, then sends these data in parts of 256 bytes. */
export const sendInParts = (data: Uint8Array) => {
  let sent = 0
  return ({ 1: ins }: Uint8Array) => {
    if (ins === 0xa4) return success
    if (ins !== 0xc0) sent = 0
    const part = data.subarray(sent, sent + 256)
    sent += part.length
    const left = data.length - sent
    return Buffer.concat([
      part,
      left === 0 ? success : Uint8Array.of(0x61, Math.min(left, 256) & 0xff),
    ])
  }
}

/** A signature of one digest by a key of a PIV card with these keys. */
export const createSignOperation = (
  keys: PivCardOptions['keys'],
  key: PivSlot,
  hash: HashName,
) => ({
  kind: 'sign' as const,
  module: 'piv',
  key,
  certificate: Buffer.from(keys[key]?.certificate ?? new Uint8Array()).toString('base64'),
  hash,
  digests: [Buffer.alloc(digestBytes[hash], 7).toString('base64')],
  ...(key !== '9C' && { mayAuthenticate: true as const }),
})

/** The same numbers from 0 to 1 for the same seed (mulberry32). */
export function createRandom(seed: number) {
  let state = seed
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const integer = (limit: number) => Math.floor(next() * limit)
  return {
    integer,
    bytes: (length: number) => Uint8Array.from({ length }, () => integer(256)),
    pick: <T>(choices: readonly T[]): T => choices[integer(choices.length)] as T,
  }
}
export type Random = ReturnType<typeof createRandom>

/** One answer that chance makes, out of what an honest card would answer. */
export function distort(random: Random, honest: Uint8Array): Uint8Array {
  return random.pick(distortions)(random, honest)
}

const statuses = [0x9000, 0x6100, 0x61ff, 0x6c00, 0x6c10, 0x6983, 0x63c0, 0x63c2, 0x6982, 0x0000]
const withStatus = (data: Uint8Array, status: number) =>
  Uint8Array.of(...data, status >> 8, status & 0xff)

const distortions: readonly ((random: Random, honest: Uint8Array) => Uint8Array)[] = [
  (random) => random.bytes(random.integer(300)),
  (random) => withStatus(random.bytes(random.integer(300)), random.pick(statuses)),
  (random) => withStatus(new Uint8Array(), random.integer(65_536)),
  // It has none of what it was asked for.
  (random) => withStatus(new Uint8Array(), random.pick([0x6a82, 0x6a88])),
  // Cut, with and without the status that it had.
  (random, honest) => honest.slice(0, random.integer(honest.length + 1)),
  (random, honest) => withStatus(honest.slice(0, random.integer(honest.length)), 0x9000),
  // Some bytes of it are others.
  (random, honest) => {
    const bytes = Uint8Array.from(honest)
    for (let count = 1 + random.integer(4); count > 0; count -= 1) {
      bytes[random.integer(bytes.length)] = random.integer(256)
    }
    return bytes
  },
  // Objects and signatures whose lengths are wrong, within each other.
  (random) => {
    let data = random.bytes(random.integer(64))
    for (let depth = random.integer(6); depth > 0; depth -= 1) {
      const tag = random.pick([0x53, 0x70, 0x71, 0x7c, 0x82, 0x30, 0x02, 0x1f, 0x5f])
      const length = random.pick([data.length, data.length + 1, 0x80, 0xff, random.integer(256)])
      data = Uint8Array.of(
        tag,
        ...random.pick([[length], [0x82, 0xff, length], [0x81, length]]),
        ...data,
      )
    }
    return withStatus(data, random.pick([0x9000, 0x9000, 0x6110]))
  },
  (random) => withStatus(new Uint8Array(65_536).fill(random.pick([0x00, 0x53, 0xff])), 0x9000),
]
