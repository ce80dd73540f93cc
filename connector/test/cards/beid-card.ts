/** A Belgian identity card in software, applet 1.7 (RSA-2048) or 1.8 (P-384): command APDUs in, response APDUs out. */
import { constants, type KeyObject, privateEncrypt } from 'node:crypto'
import { toRawSignature } from '../../src/sandbox/card-modules/signature.ts'
import {
  createApduExchange,
  type PlainCommand,
  type PlainResponse,
} from '../../src/sandbox/virtual-card/apdu-exchange.ts'
import type { EmulatedCard } from '../../src/sandbox/virtual-card/piv-card.ts'
import { signChallenge } from '../../src/sandbox/virtual-card/sign-challenge.ts'
import { createPkcs15Files } from './beid-pkcs15.ts'

export type BeidApplet = '1.7' | '1.8'
export type BeidKey = 'authentication' | 'signature'

export interface BeidCardOptions {
  readonly applet: BeidApplet
  readonly privateKeys: Readonly<Record<BeidKey, KeyObject>>
  /** The files of the card by the last two bytes of their path, hex: `5038`. */
  readonly files: Readonly<Record<string, Uint8Array>>
  /** Digits. */
  readonly pin: string
  readonly protocol: 'T=0' | 'T=1'
}

/** Those of cards speak T=0; the one for T=1 is theirs with another protocol. */
const atrs = {
  'T=0': { '1.7': '3B9813400AA503010101AD1311', '1.8': '3B7F96000080318065B085040120120FFF829000' },
  'T=1': { '1.7': '3B888001A503010101AD131111', '1.8': '3B8F800180318065B0850401200F12FF82900059' },
} as const

export const beidAtr = (applet: BeidApplet, protocol: 'T=0' | 'T=1'): string =>
  protocol === 'T=0' ? atrs[protocol][applet] : withChecksum(atrs[protocol][applet])

/** The last byte makes the sum of all but the first zero (ISO/IEC 7816-3 §8.2.5). */
function withChecksum(atr: string): string {
  const bytes = Buffer.from(atr, 'hex').subarray(0, -1)
  const sum = bytes.subarray(1).reduce((all, byte) => all ^ byte, 0)
  return Buffer.concat([bytes, Uint8Array.of(sum)])
    .toString('hex')
    .toUpperCase()
}

const maxTries = 3
const status = {
  ok: 0x9000,
  length: 0x6700,
  unsatisfied: 0x6982,
  blocked: 0x6983,
  conditions: 0x6985,
  incorrect: 0x6a80,
  notFound: 0x6a82,
  parameters: 0x6a86,
  wrongReference: 0x6a88,
  beyondEnd: 0x6b00,
  unknownInstruction: 0x6d00,
} as const

const applicationIds = ['A00000003029057000AD13100101FF', 'A000000177504B43532D3135']
const serialNumber = Buffer.from('534C494E0123456789ABCDEF01234567', 'hex')

interface State {
  readonly options: BeidCardOptions
  /** By their whole path. */
  readonly files: ReadonlyMap<string, Uint8Array>
  folder: string
  file: Uint8Array | undefined
  triesLeft: number
  verified: boolean
  /** VERIFY was the command before this one. */
  justVerified: boolean
  /** MSE SET. */
  selected: { readonly key: BeidKey; readonly algorithm: number } | undefined
}

export function createBeidCard(options: BeidCardOptions): EmulatedCard {
  const state: State = {
    options,
    files: new Map(Object.entries(createPkcs15Files(options.applet, serialNumber, options.files))),
    folder: '3F00',
    file: undefined,
    triesLeft: maxTries,
    verified: false,
    justVerified: false,
    selected: undefined,
  }
  const exchange = createApduExchange(options.protocol, (command) => perform(state, command))
  return {
    atr: beidAtr(options.applet, options.protocol),
    respond(apdu) {
      if (apdu[0] === 0x80 && apdu[1] === 0xe4) return respondWithCardData(options.applet, apdu)
      return exchange.respond(apdu)
    },
    reset() {
      exchange.reset()
      Object.assign(state, { folder: '3F00', file: undefined, verified: false })
      state.selected = undefined
    },
  }
}

/** GET CARD DATA: 28 bytes, of which one is the applet's version (OpenSC, card-belpic.c). */
function respondWithCardData(applet: BeidApplet, apdu: Uint8Array): Uint8Array {
  const version = applet === '1.7' ? 0x17 : 0x18
  const data = Buffer.concat([
    serialNumber,
    Uint8Array.of(0xf3, 0x36, 0x00, 0x01, 0x01, version, 0x00, 0x02, 0x01, 0x21, 0x01, 0x0f),
  ])
  if (apdu[4] !== data.length) return Uint8Array.of(0x6c, data.length)
  return Buffer.concat([data, Uint8Array.of(0x90, 0x00)])
}

function perform(state: State, command: PlainCommand): PlainResponse {
  const { justVerified } = state
  state.justVerified = false
  switch (command.ins) {
    case 0xa4:
      return select(state, command)
    case 0xb0:
      return readBinary(state, command)
    case 0x20:
      return verify(state, command)
    case 0x22:
      return setEnvironment(state, command)
    case 0x2a:
      return sign(state, command, justVerified)
    case 0x84:
      return { data: new Uint8Array(command.length ?? 8).fill(7), status: status.ok }
    default:
      return { status: status.unknownInstruction }
  }
}

const toHex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex').toUpperCase()

/** By name, by path from the master file, or a file of the folder; without the file's description in any case. */
function select(state: State, { p1, p2, data }: PlainCommand): PlainResponse {
  if (p2 !== 0x00 && p2 !== 0x0c) return { status: status.parameters }
  const name = toHex(data)
  if (p1 === 0x04) {
    if (!applicationIds.includes(name)) return { status: status.notFound }
    return enter(state, '3F00DF00')
  }
  if (p1 === 0x08) return enter(state, name)
  if (p1 === 0x00 && name === '3F00') return enter(state, name)
  if (p1 === 0x02) return enter(state, `${state.folder}${name}`)
  return { status: status.parameters }
}

function enter(state: State, path: string): PlainResponse {
  if (['3F00', '3F00DF00', '3F00DF01'].includes(path)) {
    state.folder = path
    state.file = undefined
    return { status: status.ok }
  }
  const file = state.files.get(path)
  if (!file) return { status: status.notFound }
  state.folder = path.slice(0, -4)
  state.file = file
  return { status: status.ok }
}

function readBinary({ file }: State, { p1, p2, length = 256 }: PlainCommand): PlainResponse {
  if (!file) return { status: status.conditions }
  const offset = p1 * 0x100 + p2
  if (offset >= file.length) return { status: status.beyondEnd }
  return { data: file.subarray(offset, offset + length), status: status.ok }
}

function verify(state: State, { p1, p2, data }: PlainCommand): PlainResponse {
  if (p1 !== 0x00 || p2 !== 0x01) return { status: status.wrongReference }
  // It does not tell how many tries are left without a try.
  if (data.length !== 8) return { status: status.length }
  if (state.triesLeft === 0) return { status: status.blocked }
  if (toHex(data) !== toPinBlock(state.options.pin)) {
    state.verified = false
    state.triesLeft -= 1
    return { status: state.triesLeft === 0 ? status.blocked : 0x63c0 + state.triesLeft }
  }
  state.triesLeft = maxTries
  state.verified = true
  state.justVerified = true
  return { status: status.ok }
}

/** A control digit, the number of digits, the digits, and F to the end (GlobalPlatform, Global PIN). */
const toPinBlock = (pin: string): string =>
  `2${pin.length.toString(16)}${pin}`.padEnd(16, 'F').toUpperCase()

const keyReferences: Readonly<Record<number, BeidKey>> = {
  130: 'authentication',
  131: 'signature',
}

function setEnvironment(state: State, { p1, p2, data }: PlainCommand): PlainResponse {
  if (p1 !== 0x41 || p2 !== 0xb6) return { status: status.parameters }
  const [length, algorithmTag, algorithm = 0, keyTag, reference = 0] = data
  const isForm = data.length === 5 && length === 4 && algorithmTag === 0x80 && keyTag === 0x84
  if (!isForm) return { status: status.length }
  const key = keyReferences[reference]
  if (!key || state.folder !== '3F00DF00') return { status: status.wrongReference }
  if (!algorithms[state.options.applet][algorithm]) return { status: status.incorrect }
  state.selected = { key, algorithm }
  return { status: status.ok }
}

/** What is signed: a digest of so many bytes, with the DigestInfo that goes before it; absent: a whole DigestInfo. */
interface Algorithm {
  readonly bytes?: number
  readonly prefix?: string
}

const algorithms: Readonly<Record<BeidApplet, Readonly<Record<number, Algorithm>>>> = {
  '1.7': {
    1: {},
    2: { bytes: 20, prefix: '3021300906052B0E03021A05000414' },
    8: { bytes: 32, prefix: '3031300D060960864801650304020105000420' },
  },
  '1.8': { 1: { bytes: 32 }, 2: { bytes: 48 }, 4: { bytes: 64 } },
}

function sign(state: State, command: PlainCommand, justVerified: boolean): PlainResponse {
  const { p1, p2, data } = command
  const { selected, options } = state
  if (p1 !== 0x9e || p2 !== 0x9a) return { status: status.parameters }
  if (!selected) return { status: status.conditions }
  const isAllowed = selected.key === 'signature' ? justVerified : state.verified
  if (!isAllowed) return { status: status.unsatisfied }
  const algorithm = algorithms[options.applet][selected.algorithm]
  if (algorithm?.bytes !== undefined && algorithm.bytes !== data.length) {
    return { status: status.length }
  }
  const key = options.privateKeys[selected.key]
  if (options.applet === '1.7') {
    const info = Buffer.concat([Buffer.from(algorithm?.prefix ?? '', 'hex'), data])
    return {
      data: privateEncrypt({ key, padding: constants.RSA_PKCS1_PADDING }, info),
      status: 0x9000,
    }
  }
  const signature = signChallenge(key, 0x14, data.subarray(0, 48))
  return signature
    ? { data: toRawSignature(signature, 48), status: status.ok }
    : { status: status.incorrect }
}
