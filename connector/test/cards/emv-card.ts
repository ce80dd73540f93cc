/** A payment card in software: a directory or none, two applications, their records. The numbers are those of tests of card networks. */
import { encodeTlv } from '../../src/sandbox/card-modules/ber-tlv.ts'
import {
  createApduExchange,
  type PlainCommand,
  type PlainResponse,
} from '../../src/sandbox/virtual-card/apdu-exchange.ts'
import type { EmulatedCard } from '../../src/sandbox/virtual-card/piv-card.ts'

export interface EmvCardOptions {
  readonly protocol: 'T=0' | 'T=1'
  /** Which directories it has. */
  readonly directory: 'contactless' | 'contact' | 'none'
  /** How it answers GET PROCESSING OPTIONS. */
  readonly format?: 1 | 2
  /** How it verifies the PIN of its holder by itself. Default: as it is. */
  readonly method?: 'plain' | 'enciphered' | 'online'
  /** Whether GET DATA tells how many tries are left. Default: it does. */
  readonly tellsTries?: boolean
}

export const cardPin = '1234'
const maxTries = 3

export const cardNumber = '4111111111111111'
export const visa = 'A0000000031010'
export const maestro = 'A0000000043060'
export const keyBytes = {
  issuer: Buffer.alloc(128, 0x90),
  issuerRemainder: Buffer.alloc(20, 0x92),
  icc: Buffer.alloc(112, 0x46),
  exponent: Buffer.of(0x03),
} as const

const hex = (text: string) => Buffer.from(text, 'hex')
const text = (value: string) => Buffer.from(value, 'latin1')
const atrs = { 'T=0': '3B6500002063CB6800', 'T=1': '3B8580012063CB6800CE' } as const

const entry = (aid: string, name: string, priority: number) =>
  encodeTlv(
    0x61,
    encodeTlv(0x4f, hex(aid)),
    encodeTlv(0x50, text(name)),
    encodeTlv(0x87, Uint8Array.of(priority)),
  )
// The first by priority stands second.
const entries = [entry(maestro, 'MAESTRO', 2), entry(visa, 'VISA DEBIT', 1)]

const directory = (name: string, content: Uint8Array) =>
  encodeTlv(0x6f, encodeTlv(0x84, text(name)), encodeTlv(0xa5, content))
const application = (aid: string, name: string, priority: number) =>
  encodeTlv(
    0x6f,
    encodeTlv(0x84, hex(aid)),
    encodeTlv(
      0xa5,
      encodeTlv(0x50, text(name)),
      encodeTlv(0x87, Uint8Array.of(priority)),
      // It wants the country and the amount.
      encodeTlv(0x9f38, hex('9F1A029F0206')),
    ),
  )

/** Cardholder verification: two amounts, then a method with a condition each (Book 3, annex C.3); the last is a signature on paper. */
const methodLists = {
  plain: hex('0000000000000000410342031E031F03'),
  enciphered: hex('0000000000000000440342031E031F03'),
  online: hex('000000000000000042031E031F03'),
} as const

/** By file and number: three files, the second with its keys. */
const records: Readonly<Record<string, Uint8Array>> = {
  '2.1': encodeTlv(
    0x70,
    encodeTlv(0x57, hex(`${cardNumber}D29122011234567F`)),
    encodeTlv(0x5a, hex(cardNumber)),
    encodeTlv(0x5f20, text('LOVELACE/ADA              ')),
    encodeTlv(0x5f24, hex('291231')),
    encodeTlv(0x5f25, hex('240101')),
    encodeTlv(0x5f28, hex('0056')),
    encodeTlv(0x5f55, text('BE')),
    encodeTlv(0x5f2d, text('nlfr')),
  ),
  '3.1': encodeTlv(
    0x70,
    encodeTlv(0x90, keyBytes.issuer),
    encodeTlv(0x9f32, keyBytes.exponent),
    encodeTlv(0x92, keyBytes.issuerRemainder),
  ),
  '3.2': encodeTlv(0x70, encodeTlv(0x9f46, keyBytes.icc), encodeTlv(0x9f47, keyBytes.exponent)),
}
const files = hex('100101001801020020010100')

export function createEmvCard(options: EmvCardOptions): EmulatedCard {
  let selected = ''
  let tries = maxTries
  const verify = ({ p1, p2, data }: PlainCommand): PlainResponse => {
    if (selected === '' || options.method === 'online') return { status: 0x6985 }
    if (p1 !== 0 || p2 !== 0x80) return { status: 0x6a86 }
    if (tries === 0) return { status: 0x6984 }
    const digits = `2${cardPin.length}${cardPin}`.padEnd(16, 'F')
    if (data.length !== 8) return { status: 0x6700 }
    const isRight = Buffer.from(data).equals(hex(digits))
    tries = isRight ? maxTries : tries - 1
    return { status: isRight ? 0x9000 : 0x63c0 + tries }
  }
  const getData = ({ p1, p2 }: PlainCommand): PlainResponse => {
    const isCounter = p1 === 0x9f && p2 === 0x17 && options.tellsTries !== false
    if (!isCounter) return { status: 0x6a88 }
    return { data: encodeTlv(0x9f17, Uint8Array.of(tries)), status: 0x9000 }
  }
  const exchange = createApduExchange(options.protocol, (command) => {
    if (command.ins === 0xa4) {
      const response = select(options, command)
      if (response.status === 0x9000)
        selected = Buffer.from(command.data).toString('hex').toUpperCase()
      return response
    }
    if (command.ins === 0xa8) return getProcessingOptions(options, selected, command)
    if (command.ins === 0xb2) return readRecord(options, selected, command)
    if (command.ins === 0xca) return getData(command)
    if (command.ins === 0x20) return verify(command)
    return { status: 0x6d00 }
  })
  return {
    atr: atrs[options.protocol],
    // GET PROCESSING OPTIONS and GET DATA are of the class 80.
    respond: (apdu) =>
      exchange.respond(
        apdu[0] === 0x80 && [0xa8, 0xca].includes(apdu[1] ?? 0)
          ? Uint8Array.of(0, ...apdu.slice(1))
          : apdu,
      ),
    reset() {
      exchange.reset()
      selected = ''
    },
  }
}

function select({ directory: has }: EmvCardOptions, { p1, data }: PlainCommand): PlainResponse {
  const name = Buffer.from(data)
  const answers: Readonly<Record<string, Uint8Array | undefined>> = {
    [visa]: application(visa, 'VISA DEBIT', 1),
    [maestro]: application(maestro, 'MAESTRO', 2),
    ...(has === 'contactless' && {
      [toName('2PAY')]: directory('2PAY.SYS.DDF01', encodeTlv(0xbf0c, ...entries)),
    }),
    ...(has === 'contact' && {
      [toName('1PAY')]: directory('1PAY.SYS.DDF01', encodeTlv(0x88, Uint8Array.of(1))),
    }),
  }
  const answer = p1 === 0x04 ? answers[name.toString('hex').toUpperCase()] : undefined
  return answer ? { data: answer, status: 0x9000 } : { status: 0x6a82 }
}
const toName = (begin: string) => text(`${begin}.SYS.DDF01`).toString('hex').toUpperCase()

function getProcessingOptions(
  { format = 2 }: EmvCardOptions,
  selected: string,
  { data }: PlainCommand,
): PlainResponse {
  if (selected !== visa && selected !== maestro) return { status: 0x6985 }
  // Eight bytes for what it wants.
  if (data.length !== 10 || !Buffer.from(data).subarray(0, 2).equals(hex('8308'))) {
    return { status: 0x6700 }
  }
  const answer =
    format === 1
      ? encodeTlv(0x80, hex('1800'), files)
      : encodeTlv(0x77, encodeTlv(0x82, hex('1800')), encodeTlv(0x94, files))
  return { data: answer, status: 0x9000 }
}

function readRecord(
  { directory: has, method = 'plain' }: EmvCardOptions,
  selected: string,
  { p1, p2 }: PlainCommand,
): PlainResponse {
  const file = p2 >> 3
  const isDirectory = has === 'contact' && selected === toName('1PAY') && file === 1
  const listed = isDirectory ? entries[p1 - 1] : undefined
  const methods = file === 4 && p1 === 1 && encodeTlv(0x70, encodeTlv(0x8e, methodLists[method]))
  const data = isDirectory ? listed && encodeTlv(0x70, listed) : methods || records[`${file}.${p1}`]
  return data ? { data, status: 0x9000 } : { status: 0x6a83 }
}
