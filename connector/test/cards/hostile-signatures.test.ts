/** Cards that sign as no card should: with another key, or in another form. */
import { beforeAll, describe, expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { encodeTlv } from '../../src/sandbox/card-modules/ber-tlv.ts'
import { createPivCard, type PivCardOptions } from '../../src/sandbox/virtual-card/piv-card.ts'
import type { CardOperation } from '../../src/system/ipc/card-messages.ts'
import { makeKeys } from './emulated-card.ts'
import { createSignOperation, runAgainst, sendInParts } from './hostile-card.ts'

const hex = (text: string) => Uint8Array.from(Buffer.from(text, 'hex'))
const types = { '9A': 'P-256', '9C': 'RSA-2048', '9D': 'P-384' } as const

let keys: PivCardOptions['keys']

beforeAll(async () => {
  keys = (await makeKeys(types)).keys
})

describe('a card that signs', () => {
  const signWith = (operation: CardOperation, template: Uint8Array) => {
    const card = createPivCard({ keys, pin: '123456', protocol: 'T=1' })
    const respond = sendInParts(template)
    let isSigning = false
    return runAgainst({
      operation,
      respond: (command) => {
        if (command[1] !== 0xc0) isSigning = command[1] === 0x87 && command[0] === 0x00
        return isSigning ? respond(command) : card.respond(command)
      },
    })
  }

  test.each([
    ['9A', 'sha256'],
    ['9C', 'sha256'],
    ['9D', 'sha384'],
  ] as const)('with another key than that of certificate %s is card-mute', async (slot, hash) => {
    proves('signature-checked')
    const other = (await makeKeys(types)).keys[slot]
    const own = keys[slot]
    if (!other || !own) throw new Error('Expected keys')
    const mixed = { ...own, privateKey: other.privateKey }
    const card = createPivCard({ keys: { [slot]: mixed }, pin: '123456', protocol: 'T=1' })
    const { problem } = runAgainst({
      operation: createSignOperation(keys, slot, hash),
      respond: card.respond,
    })
    expect(problem).toBe('card-mute')
  })

  test.each([0, 1, 255, 257])('with an RSA signature of %i bytes is card-mute', (length) => {
    const template = encodeTlv(0x7c, encodeTlv(0x82, new Uint8Array(length)))
    expect(signWith(createSignOperation(keys, '9C', 'sha256'), template).problem).toBe('card-mute')
  })

  test.each([
    ['that is no sequence', '0102'],
    ['of one number', '3003020101'],
    ['whose r is 0', '3006020100020101'],
    ['whose s has no bytes', '30050201010200'],
    ['with something behind it', '30060201010201010400'],
    ['whose r is longer than the curve', `30${'26'}0221${'01'.repeat(33)}020101`],
  ])('with a signature of P-256 %s is card-mute', (_name, signature) => {
    const template = encodeTlv(0x7c, encodeTlv(0x82, hex(signature)))
    expect(signWith(createSignOperation(keys, '9A', 'sha256'), template).problem).toBe('card-mute')
  })
})
