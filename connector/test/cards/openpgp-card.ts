/** An OpenPGP card in software (version 3.4): command APDUs in, response APDUs out. */
import { constants, createHash, type KeyObject, privateEncrypt, sign } from 'node:crypto'
import { encodeTlv, findTlv } from '../../src/sandbox/card-modules/ber-tlv.ts'
import { toRawSignature } from '../../src/sandbox/card-modules/signature.ts'
import {
  createApduExchange,
  type PlainCommand,
  type PlainResponse,
} from '../../src/sandbox/virtual-card/apdu-exchange.ts'
import type { EmulatedCard } from '../../src/sandbox/virtual-card/piv-card.ts'
import { signChallenge } from '../../src/sandbox/virtual-card/sign-challenge.ts'

export type OpenpgpKey = 'signature' | 'encryption' | 'authentication'

export interface OpenpgpCardOptions {
  readonly keys: Readonly<Partial<Record<OpenpgpKey, KeyObject>>>
  /** DER. */
  readonly certificates?: Readonly<Partial<Record<OpenpgpKey, Uint8Array>>>
  /** PW1. */
  readonly pin: string
  readonly protocol: 'T=0' | 'T=1'
  /** Whether it wants PINs as hashes (KDF-DO). */
  readonly hashesPins?: boolean
}

/** Their historical bytes say that commands can be chained, and have no lengths beyond a byte (§6.2). */
export const openpgpAtrs = {
  'T=1': '3BDA18FF81B1FE751F030031F573C00180059000F9',
  'T=0': '3B1A960031F573C00180059000',
} as const

export const openpgpAid = Buffer.from('D276000124010304FFFFCAFE12340000', 'hex')
const maxTries = 3
const ok = 0x9000
/** By the template that names each; the place of its certificate among the three, and of its attributes. */
const places: Readonly<Record<number, OpenpgpKey>> = {
  182: 'signature',
  184: 'encryption',
  164: 'authentication',
}
const names = ['signature', 'encryption', 'authentication'] as const
const occurrences: readonly OpenpgpKey[] = ['authentication', 'encryption', 'signature']

interface State {
  readonly options: OpenpgpCardOptions
  selected: boolean
  occurrence: number
  triesLeft: number
  /** By P2 of VERIFY. */
  readonly verified: Set<number>
  signatures: number
}

export function createOpenpgpCard(options: OpenpgpCardOptions): EmulatedCard {
  const state: State = {
    options,
    selected: false,
    occurrence: 0,
    triesLeft: maxTries,
    verified: new Set(),
    signatures: 0,
  }
  const exchange = createApduExchange(options.protocol, (command) => perform(state, command))
  return {
    atr: openpgpAtrs[options.protocol],
    respond: exchange.respond,
    reset() {
      exchange.reset()
      Object.assign(state, { selected: false, occurrence: 0 })
      state.verified.clear()
    },
  }
}

function perform(state: State, command: PlainCommand): PlainResponse {
  const { ins, p1, p2, data } = command
  if (ins === 0xa4) return select(state, command)
  if (!state.selected) return { status: 0x6985 }
  switch (ins) {
    case 0xca:
      return getData(state, p1 * 0x100 + p2)
    case 0xa5:
      state.occurrence = p1
      return { status: Buffer.from(data).toString('hex') === '60045c027f21' ? ok : 0x6a80 }
    case 0x47:
      return readKey(state, command)
    case 0x20:
      return verify(state, command)
    case 0x2a:
      return p1 === 0x9e && p2 === 0x9a
        ? signWith(state, 'signature', 0x81, data)
        : { status: 0x6a86 }
    case 0x88:
      return signWith(state, 'authentication', 0x82, data)
    case 0x84:
      return { data: new Uint8Array(command.length ?? 8).fill(7), status: ok }
    default:
      return { status: 0x6d00 }
  }
}

/** By the application identifier or its beginning. */
function select(state: State, { p1, data }: PlainCommand): PlainResponse {
  const isOurs = data.length >= 5 && openpgpAid.subarray(0, data.length).equals(Buffer.from(data))
  if (p1 !== 0x04 || !isOurs) return { status: 0x6a82 }
  state.selected = true
  return { status: ok }
}

function getData(state: State, object: number): PlainResponse {
  const { certificates = {}, hashesPins = false } = state.options
  const application = createApplicationData(state)
  const lists = findTlv(findTlv(application, 0x6e) ?? application, 0x73)
  const objects: Readonly<Record<number, Uint8Array | undefined>> = {
    [0x4f]: openpgpAid,
    [0x5e]: Buffer.from('ada'),
    [0x5f50]: Buffer.from('https://keys.example/ada'),
    [0x5f52]: historicalBytes,
    [0x65]: encodeTlv(
      0x65,
      encodeTlv(0x5b, Buffer.from('LOVELACE<<ADA<KING')),
      encodeTlv(0x5f2d, Buffer.from('en')),
      encodeTlv(0x5f35, Buffer.from('2')),
    ),
    [0x6e]: application,
    [0x7a]: encodeTlv(0x7a, encodeTlv(0x93, toCount(state.signatures))),
    [0xc4]: lists && findTlv(lists, 0xc4),
    [0xf9]: hashesPins ? encodeTlv(0x81, Uint8Array.of(3)) : encodeTlv(0x81, Uint8Array.of(0)),
    [0x7f21]: certificates[occurrences[state.occurrence] ?? 'authentication'],
  }
  const data = objects[object]
  return data ? { data, status: ok } : { status: 0x6a88 }
}

const historicalBytes = Buffer.from('0031F573C00180059000', 'hex')
const toCount = (count: number) => Uint8Array.of(0, count >> 8, count & 0xff)

function createApplicationData({ options, triesLeft }: State): Uint8Array {
  const { keys, hashesPins } = options
  const all = names.map((name) => keys[name])
  const attributes = all.map((key, at) => encodeTlv(0xc1 + at, toAttributes(key)))
  const fingerprints = all.map((key) => (key ? fingerprint(key) : new Uint8Array(20)))
  const dates = all.map((key) => Uint8Array.of(0x65, 0x00, 0x00, key ? 1 : 0))
  return encodeTlv(
    0x6e,
    encodeTlv(0x4f, openpgpAid),
    encodeTlv(0x5f52, historicalBytes),
    encodeTlv(
      0x73,
      // Random numbers, PW1 for one signature or several, and hashed PINs.
      encodeTlv(0xc0, Buffer.from(`${hashesPins ? '51' : '50'}000800080008000000`, 'hex')),
      ...attributes,
      encodeTlv(0xc4, Uint8Array.of(0, 127, 127, 127, triesLeft, 0, maxTries)),
      encodeTlv(0xc5, ...fingerprints),
      encodeTlv(0xc6, new Uint8Array(60)),
      encodeTlv(0xcd, ...dates),
    ),
  )
}

const fingerprint = (key: KeyObject) =>
  createHash('sha1')
    .update(key.export({ format: 'der', type: 'pkcs8' }))
    .digest()

/** RSA of so many bits, an elliptic curve by its object identifier, or Ed25519. */
function toAttributes(key: KeyObject | undefined): Uint8Array {
  const { namedCurve, modulusLength = 2048 } = key?.asymmetricKeyDetails ?? {}
  if (namedCurve === 'prime256v1') return Buffer.from('132A8648CE3D030107', 'hex')
  if (namedCurve === 'secp384r1') return Buffer.from('132B81040022', 'hex')
  if (key?.asymmetricKeyType === 'ed25519') return Buffer.from('162B06010401DA470F01', 'hex')
  return Uint8Array.of(1, modulusLength >> 8, modulusLength & 0xff, 0, 32, 0)
}

function readKey({ options }: State, { p1, data }: PlainCommand): PlainResponse {
  const name = places[data[0] ?? 0]
  const key = name && options.keys[name]
  if (p1 !== 0x81 || !key) return { status: 0x6a88 }
  const { n, e, x = '', y } = key.export({ format: 'jwk' })
  const bytes = (text = '') => Buffer.from(text, 'base64url')
  const point = y === undefined ? bytes(x) : Buffer.concat([Buffer.of(4), bytes(x), bytes(y)])
  const parts =
    n === undefined
      ? [encodeTlv(0x86, point)]
      : [encodeTlv(0x81, bytes(n)), encodeTlv(0x82, bytes(e))]
  return { data: encodeTlv(0x7f49, ...parts), status: ok }
}

function verify(state: State, { p2, data }: PlainCommand): PlainResponse {
  if (p2 !== 0x81 && p2 !== 0x82) return { status: 0x6a88 }
  if (data.length === 0) return { status: state.verified.has(p2) ? ok : 0x63c0 + state.triesLeft }
  if (state.triesLeft === 0) return { status: 0x6983 }
  if (Buffer.from(data).toString() !== state.options.pin) {
    state.verified.delete(p2)
    state.triesLeft -= 1
    return { status: state.triesLeft === 0 ? 0x6983 : 0x63c0 + state.triesLeft }
  }
  state.triesLeft = maxTries
  state.verified.add(p2)
  return { status: ok }
}

/** PW1 is good for one signature (the first byte of C4 is 0), and for any number of authentications. */
function signWith(
  state: State,
  name: 'signature' | 'authentication',
  reference: number,
  data: Uint8Array,
): PlainResponse {
  const key = state.options.keys[name]
  if (!key) return { status: 0x6a88 }
  if (!state.verified.has(reference)) return { status: 0x6982 }
  if (name === 'signature') {
    state.verified.delete(reference)
    state.signatures += 1
  }
  const signature = compute(key, data)
  return signature ? { data: signature, status: ok } : { status: 0x6a80 }
}

function compute(key: KeyObject, data: Uint8Array): Uint8Array | undefined {
  const { namedCurve } = key.asymmetricKeyDetails ?? {}
  if (key.asymmetricKeyType === 'ed25519') return sign(null, data, key)
  if (key.asymmetricKeyType === 'rsa') {
    return privateEncrypt({ key, padding: constants.RSA_PKCS1_PADDING }, data)
  }
  const [algorithm, bytes] = namedCurve === 'secp384r1' ? [0x14, 48] : [0x11, 32]
  const der = signChallenge(key, algorithm, data)
  return der && toRawSignature(der, bytes)
}
