/** The card of the guide to modules: a certificate, a PIN, a P-256 key that signs only directly after the PIN. */
import type { KeyObject } from 'node:crypto'
import { toRawSignature } from '../../src/sandbox/card-modules/signature.ts'
import {
  createApduExchange,
  type PlainCommand,
  type PlainResponse,
} from '../../src/sandbox/virtual-card/apdu-exchange.ts'
import type { EmulatedCard } from '../../src/sandbox/virtual-card/piv-card.ts'
import { signChallenge } from '../../src/sandbox/virtual-card/sign-challenge.ts'

export interface ExampleCardOptions {
  readonly privateKey: KeyObject
  /** DER. */
  readonly certificate: Uint8Array
  readonly pin: string
  readonly protocol: 'T=0' | 'T=1'
}

const maxTries = 3
/** Algorithm identifier of P-256, as `signChallenge` has it. */
const p256 = { algorithm: 0x11, bytes: 32 }

export function createExampleCard(options: ExampleCardOptions): EmulatedCard {
  let selected = ''
  let tries = maxTries
  let verified = false

  /** SELECT, READ BINARY, VERIFY, MANAGE SECURITY ENVIRONMENT, PERFORM SECURITY OPERATION, by instruction. */
  const commands: Readonly<Record<number, (command: PlainCommand) => PlainResponse>> = {
    164: ({ data }) => {
      selected = Buffer.from(data).toString('hex').toUpperCase()
      return { status: ['F0000000010001', '3F005001'].includes(selected) ? 0x9000 : 0x6a82 }
    },
    176: ({ p1, p2, length = 256 }) => {
      const offset = p1 * 256 + p2
      if (selected !== '3F005001') return { status: 0x6a82 }
      if (offset > options.certificate.length) return { status: 0x6b00 }
      return { data: options.certificate.subarray(offset, offset + length), status: 0x9000 }
    },
    32: ({ data }) => {
      if (tries === 0) return { status: 0x6983 }
      if (data.length === 0) return { status: 0x63c0 + tries }
      verified = Buffer.from(data).equals(Buffer.alloc(8).fill(options.pin, 0, options.pin.length))
      tries = verified ? maxTries : tries - 1
      return { status: verified ? 0x9000 : 0x63c0 + tries }
    },
    34: ({ data }) => ({
      status: Buffer.from(data).toString('hex') === '840101' ? 0x9000 : 0x6a80,
    }),
    42: ({ data }) => {
      if (!verified) return { status: 0x6982 }
      verified = false
      const der = signChallenge(options.privateKey, p256.algorithm, data)
      return der ? { data: toRawSignature(der, p256.bytes), status: 0x9000 } : { status: 0x6a80 }
    },
  }
  const exchange = createApduExchange(options.protocol, (command) => {
    if (command.ins !== 0x2a && command.ins !== 0x20) verified = false
    return commands[command.ins]?.(command) ?? { status: 0x6d00 }
  })
  return {
    atr: '3B80800101',
    respond: exchange.respond,
    reset() {
      exchange.reset()
      selected = ''
      verified = false
    },
  }
}
