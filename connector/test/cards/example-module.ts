/** The module example: cards with one P-256 key, whose certificate is a file. */
import { CardError } from '../../src/sandbox/card-modules/card-error.ts'
import { readFile } from '../../src/sandbox/card-modules/card-file.ts'
import type { CardModule, CardPin } from '../../src/sandbox/card-modules/card-module.ts'
import { createSecretBytes } from '../../src/sandbox/card-modules/secret-bytes.ts'
import { fitToCurve, requireLength } from '../../src/sandbox/card-modules/signature.ts'

const hex = (text: string) => new Uint8Array(Buffer.from(text, 'hex'))

const pin: CardPin = {
  reference: 0x01,
  min: 4,
  max: 8,
  alphabet: 'digits',
  tellsTries: true,
  toBlock: (digits) => {
    const block = createSecretBytes(8)
    block.set(digits)
    return block
  },
}

export const example: CardModule = {
  id: 'example',
  version: '1.0.0',
  description: 'Cards of the guide',
  cardName: 'Example card',
  aids: [hex('F0000000010001')],
  atrs: [/^3B80800101$/],
  keys: [{ id: 'signature', purpose: 'non-repudiation', pin }],
  keyTypes: ['P-256'],
  certificate: (session) => readFile(session, hex('3F005001')),
  prepare: (session) => {
    // MANAGE SECURITY ENVIRONMENT (ISO/IEC 7816-4 §7.5.11): the key that signs.
    const { status } = session.send({ ins: 0x22, p1: 0x41, p2: 0xb6, data: hex('840101') })
    if (status !== 0x9000) throw refusal
  },
  sign: (session, _key, _type, digest) => {
    // COMPUTE DIGITAL SIGNATURE (ISO/IEC 7816-8 §5.4).
    const command = { ins: 0x2a, p1: 0x9e, p2: 0x9a, hasResponse: true }
    const { data, status } = session.send({ ...command, data: fitToCurve(digest, 32) })
    if (status !== 0x9000) throw refusal
    return requireLength(data, 64)
  },
}

const refusal = new CardError('key-unsupported', 'Cannot sign: the card refused')
