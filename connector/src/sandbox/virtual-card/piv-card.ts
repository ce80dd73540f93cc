/** A PIV card in software (NIST SP 800-73-4): command APDUs in, response APDUs out. */
import type { KeyObject } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { encodeTlv, findTlv, TlvError } from '../card-modules/ber-tlv.ts'
import { createApduExchange, type PlainCommand, type PlainResponse } from './apdu-exchange.ts'
import { signChallenge } from './sign-challenge.ts'

export type PivSlot = '9A' | '9C' | '9D' | '9E'

export interface PivCardOptions {
  readonly keys: Readonly<
    Partial<Record<PivSlot, { readonly privateKey: KeyObject; readonly certificate: Uint8Array }>>
  >
  /** Digits. */
  readonly pin: string
  readonly protocol: 'T=0' | 'T=1'
  /** Whether certificates are stored compressed. */
  readonly compressed?: boolean
  /** Where the tries are kept that the PIN has left; by default in memory. */
  readonly tries?: TriesCounter
}

export interface TriesCounter {
  /** undefined: none was used. */
  read(): number | undefined
  write(left: number): void
}

export interface EmulatedCard {
  /** Upper-case hex. */
  readonly atr: string
  respond(apdu: Uint8Array): Uint8Array
  /** Forgets what was verified, as a card does when it loses power. */
  reset(): void
}

// Both hold the AID in their historical bytes (ISO/IEC 7816-3 §8.2); the first offers T=1, the second T=0 alone.
const atrs = {
  'T=1': '3B8D800180FBA000000308000010000100CD',
  'T=0': '3B0D80FBA000000308000010000100',
}

const maxTries = 3
const status = {
  ok: 0x9000,
  unsatisfied: 0x6982,
  blocked: 0x6983,
  incorrect: 0x6a80,
  notFound: 0x6a82,
  wrongReference: 0x6a88,
  unknownInstruction: 0x6d00,
} as const

const hex = (text: string) => new Uint8Array(Buffer.from(text, 'hex'))
const aid = hex('A000000308000010000100')
const registeredId = hex('A000000308')

/** The answer to SELECT (SP 800-73-4 part 2 §3.1.1, table 3). */
const application = encodeTlv(
  0x61,
  encodeTlv(0x4f, aid.subarray(5)),
  encodeTlv(0x79, encodeTlv(0x4f, registeredId)),
)
/** It has no number of a person; the last field is a random identifier (part 1 §3.1.2). */
const cardHolderId = encodeTlv(
  0x53,
  encodeTlv(0x30, hex('D4E739DA739CED39CE739D836858210842108421C84210C3EB')),
  encodeTlv(0x34, hex('C4A1F0E29B5D4C7788A0B6D2E3F41526')),
  encodeTlv(0x35, Buffer.from('20991231')),
  encodeTlv(0x3e),
  encodeTlv(0xfe),
)
const discovery = encodeTlv(0x7e, encodeTlv(0x4f, aid), encodeTlv(0x5f2f, hex('4000')))

const certificateObjects: Readonly<Record<PivSlot, string>> = {
  '9A': '5FC105',
  '9C': '5FC10A',
  '9D': '5FC10B',
  '9E': '5FC101',
}
const slots = Object.keys(certificateObjects) as readonly PivSlot[]

export function createPivCard(options: PivCardOptions): EmulatedCard {
  const state = createState(options)
  const exchange = createApduExchange(options.protocol, (command) => perform(state, command))
  return {
    atr: atrs[options.protocol],
    respond: exchange.respond,
    reset() {
      exchange.reset()
      state.selected = false
      state.verified = false
    },
  }
}

interface State {
  readonly options: PivCardOptions
  readonly objects: ReadonlyMap<string, Uint8Array>
  readonly tries: TriesCounter
  selected: boolean
  verified: boolean
  /** VERIFY was the command before this one. */
  justVerified: boolean
}

const createState = (options: PivCardOptions): State => ({
  options,
  objects: createObjects(options),
  tries: options.tries ?? createTries(),
  selected: false,
  verified: false,
  justVerified: false,
})

function createTries(): TriesCounter {
  let left: number | undefined
  return {
    read: () => left,
    write(next) {
      left = next
    },
  }
}

function createObjects({ keys, compressed = false }: PivCardOptions) {
  const objects = new Map([
    ['5FC102', cardHolderId],
    ['7E', discovery],
  ])
  for (const slot of slots) {
    const key = keys[slot]
    if (!key) continue
    const certificate = compressed ? gzipSync(key.certificate) : key.certificate
    const info = Uint8Array.of(compressed ? 0x01 : 0x00)
    const parts = [encodeTlv(0x70, certificate), encodeTlv(0x71, info), encodeTlv(0xfe)]
    objects.set(certificateObjects[slot], encodeTlv(0x53, ...parts))
  }
  return objects
}

function perform(state: State, command: PlainCommand): PlainResponse {
  const { justVerified } = state
  state.justVerified = false
  try {
    if (command.ins === 0xa4) return select(state, command)
    if (!state.selected) return { status: status.unknownInstruction }
    if (command.ins === 0xcb) return getData(state, command)
    if (command.ins === 0x20) return verify(state, command)
    if (command.ins === 0x87) return authenticate(state, command, justVerified)
    return { status: status.unknownInstruction }
  } catch (error) {
    if (error instanceof TlvError) return { status: status.incorrect }
    throw error
  }
}

/** Selecting it again keeps what was verified (part 2 §3.1.1). */
function select(state: State, { data }: PlainCommand): PlainResponse {
  const isOurs =
    data.length >= registeredId.length && Buffer.from(aid.subarray(0, data.length)).equals(data)
  if (!isOurs) return { status: status.notFound }
  state.selected = true
  return { data: application, status: status.ok }
}

function getData({ objects }: State, { data }: PlainCommand): PlainResponse {
  const name = findTlv(data, 0x5c)
  if (!name) return { status: status.incorrect }
  const found = objects.get(Buffer.from(name).toString('hex').toUpperCase())
  return found ? { data: found, status: status.ok } : { status: status.notFound }
}

function verify(state: State, { p1, p2, data }: PlainCommand): PlainResponse {
  if (p2 !== 0x80 || p1 !== 0x00) return { status: status.wrongReference }
  const triesLeft = state.tries.read() ?? maxTries
  if (data.length === 0 && state.verified) return { status: status.ok }
  if (triesLeft === 0) return { status: status.blocked }
  if (data.length === 0) return { status: 0x63c0 + triesLeft }
  const expected = Buffer.alloc(8, 0xff)
  expected.write(state.options.pin, 'latin1')
  if (!expected.equals(data)) {
    state.verified = false
    state.tries.write(triesLeft - 1)
    return { status: 0x63c0 + triesLeft - 1 }
  }
  if (triesLeft < maxTries) state.tries.write(maxTries)
  state.verified = true
  state.justVerified = true
  return { status: status.ok }
}

/** GENERAL AUTHENTICATE: signs the challenge (part 2 §3.2.4). 9C wants its PIN directly before, 9E none. */
function authenticate(
  { options: { keys }, verified }: State,
  { p1, p2, data }: PlainCommand,
  justVerified: boolean,
): PlainResponse {
  const slot = slots.find((one) => Number.parseInt(one, 16) === p2)
  const key = slot && keys[slot]
  if (!key) return { status: status.wrongReference }
  const isAllowed = slot === '9E' || (slot === '9C' ? justVerified : verified)
  if (!isAllowed) return { status: status.unsatisfied }
  const challenge = findTlv(findTlv(data, 0x7c) ?? data.subarray(0, 0), 0x81)
  const signature = challenge && signChallenge(key.privateKey, p1, challenge)
  if (!signature) return { status: status.incorrect }
  return { data: encodeTlv(0x7c, encodeTlv(0x82, signature)), status: status.ok }
}
